"""A proved mapping computes what the program says: its code, with 1, 2 and 4 threads, against the interpreter.

`scripts/fuzz-verifier --executed N` does the same for long.
"""

import pytest

from tests.differential.execution import disagreements
from tools.differential.proved_mappings import proved_cases

pytestmark = pytest.mark.slow


def test_generated_code_equals_the_interpreter() -> None:
    cases = list(proved_cases("plain", samples=90, most=45, changes=4))
    assert disagreements(cases) == []
    # Otherwise this would say little.
    assert len(cases) > 20
    seen = {feature for case in cases for feature in case.features}
    wanted = {
        "parallel",
        "chunks",
        "reduction dimension",
        "use equation",
        "in place",
        "tiled",
        "sizes",
        "wavefront",
        "recursive tiles",
        "mod factor",
        "shared space",
        "folded",
        "body",
        "registers",
        "packed",
        "vector dimension",
        "levels of tiles",
        "part of a band in wavefronts",
        "band below a prefix",
    }
    assert {*wanted, "alias of a branch"} <= seen
