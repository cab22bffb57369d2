"""Code without the copies that are dropped computes the values of the interpreter, and copies nothing."""

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verify import certify
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.kernel import compile_kernel
from tests.legality.mapped import Mapped
from tests.mapping.in_place import LU, MIRROR, STEPS, TURNS
from tests.thinning import thinned

CASES = {
    "an elimination in its input": Mapped(LU)
    .memory("A", "(k,i,j -> i,j)", "F")
    .memory("M", None, "F")
    .time("A", "(k,i,j -> k,i,j)")
    .kind("1", "P"),
    "a mirrored half": Mapped(MIRROR)
    .memory("L", None, "C")
    .time("L", "(i,j -> 0,i,j)")
    .time("C", "(i,j -> 1,i,j)")
    .kind("1", "P"),
    "a border": Mapped(STEPS).memory("X", "(t,i -> i)", "B").memory("A", None, "B").time("X", "(t,i -> t,i)"),
    "a border, tiled": Mapped(STEPS)
    .memory("X", "(t,i -> i)", "B")
    .time("X", "(t,i -> t,t+i)")
    .band(0, 1, sizes=(3, 4), wavefront=True),
    "two variables in turns": Mapped(TURNS)
    .memory("X", "(t,i -> i)", "B")
    .memory("Y", "(t,i -> i)", "B")
    .time("X", "(t,i -> t,0,-i)")
    .time("Y", "(t,i -> t,1,i)"),
}


@pytest.mark.parametrize("name", thinned(CASES))
def test_the_code_is_right(name: str) -> None:
    mapped = CASES[name]
    verified = certify(mapped.verified())
    mapping = verified.mappings[mapped.system]
    assert set(mapping.aliases.steps) - mapping.aliases.whole_variables
    system, checked = mapping.system, mapped.design.checked
    sources = scheduled_c(verified, system.name)
    flags = ("-O1", "-Wall", "-Wextra", "-Werror")
    kernel = compile_kernel(sources, checked, system.name, flags=flags)
    for size in (3, 7, 10):
        parameters = dict.fromkeys(system.parameters, size)
        inputs = random_inputs(system, parameters, size)
        wanted = evaluate(checked.program, checked.facts, system.name, parameters, inputs)
        for threads in (1, 2, 4):
            outputs = kernel.run(parameters, inputs, threads).outputs
            for output, values in wanted.items():
                np.testing.assert_array_equal(outputs[output], values)


def test_nothing_is_generated_for_a_dropped_copy() -> None:
    verified = certify(CASES["a border"].verified())
    code = scheduled_c(verified, "steps").files["steps.c"]
    assert "X[t-1,0]" not in code
    assert "X[t-1,N-1]" not in code
    assert "X[t,i-1] + X[t-1,i] + X[t-1,i+1]" in code
