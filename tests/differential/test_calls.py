"""Random mappings with use equations that are proved: the generated code computes what the interpreter does."""

from collections.abc import Iterator
from itertools import count
from random import Random

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import certify, verify
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.kernel import compile_kernel
from tests.legality.agreement import design_of
from tests.strategies.mapped_calls import sample
from tests.thinning import thinned

pytestmark = pytest.mark.slow


def proved(seed: str) -> Iterator[Verified]:
    """Random mappings that are legal."""
    for case in count():
        report = verify(design_of(sample(Random(f"{seed}/{case}"))), ["main"])
        if report.is_proved:
            yield certify(report)


def check(verified: Verified) -> None:
    checked = verified.design.checked
    system = checked.program.system("main")
    kernel = compile_kernel(
        scheduled_c(verified, "main"), checked, "main", flags=("-O1", "-Wall", "-Wextra", "-Werror")
    )
    for size in (1, 2, 5):
        inputs = random_inputs(system, {"N": size}, size)
        expected = evaluate(checked.program, checked.facts, "main", {"N": size}, inputs)
        for threads in (1, 2):
            outputs = kernel.run({"N": size}, inputs, threads).outputs
            for name, values in expected.items():
                np.testing.assert_array_equal(outputs[name], values)


@pytest.mark.parametrize("seed", thinned(range(3), 3))
def test_the_code_of_proved_calls_is_right(seed: int) -> None:
    cases = proved(f"code/{seed}")
    for _ in range(3):
        check(next(cases))
