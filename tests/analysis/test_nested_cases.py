"""Cases in cases: the work to read them grows with their number."""

from contextlib import suppress
from time import process_time

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source

pytestmark = pytest.mark.slow


def _nested(count: int) -> Source:
    value = "0"
    for k in range(count):
        value = f"case {{| i=={k}}} : {k}; {{| i!={k}}} : {value}; esac"
    return Source("deep.ab", f"affine deep {{N | N>0}}\noutput int x {{i | 0<=i<N}};\nlet x[i] = {value};\n.\n")


def test_many_cases_in_cases_are_read_soon() -> None:
    """Each once looked for reductions in all that were inside of those inside of it."""
    source, start = _nested(400), process_time()
    with suppress(Rejected):
        # Whether it may be undecided is another question.
        read_program(source)
    assert process_time() - start < 15
