"""Tiling by a parametric size: the same values, each in its block, on random programs and for many sizes."""

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import ashow
from alphaz.diagnostics import Source
from alphaz.mapping.design import Design
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.model.program import Variable
from alphaz.poly.algorithms.bounds import box_of
from alphaz.transform.systems.monoparametric import monoparametric_tiling
from tests.thinning import thinned

pytestmark = pytest.mark.slow

# Reads inside, reads at a distance, a reduction along an oblique projection, the value of an index.
PROGRAMS = {
    "line": "B[i] = case {| i<2}: A[i] + [i]; {| i>=2}: B[i-2] + A[N-1-i]; esac; C = reduce(max, [k], A[k] * B[k]);",
    "sums": "B[i] = reduce(+, (i,j -> i+j), {i,j | 0<=i<N && 0<=j<N && i+j<N} : A[i] * A[j]); C = B[N-1];",
    "holes": "B[i] = case {| 2i<N}: A[2i]; {| N<=2i}: A[i] * 3; esac; C = reduce(+, [k], {| 1<=k && 3k<N}: B[3k]);",
}


def _program(equations: str) -> str:
    return (
        "affine test {N | N>0}\ninput int A {i | 0<=i<N};\noutput int B {i | 0<=i<N}; int C;\n"
        f"let {equations}\n.\n"
    )


def _tiled_input(variable: Variable, tiled: Variable, array: np.ndarray, n: int, new: dict[str, int]) -> np.ndarray:
    """The array of the input, each value where its block is."""
    here, there = box_of(variable.domain, {"N": n}), box_of(tiled.domain, new)
    result = np.zeros(there.shape, array.dtype)
    for point in tiled.domain.points(new):
        at = tuple(z - low for z, low in zip(point, there.lower, strict=True))
        result[at] = array[tuple(z - low for z, low in zip(_whole(point, new["b"]), here.lower, strict=True))]
    return result


def _whole(point: tuple[int, ...], size: int) -> tuple[int, ...]:
    half = len(point) // 2
    return tuple(size * block + place for block, place in zip(point[:half], point[half:], strict=True))


def _compare(before: Design, after: Design, n: int, new: dict[str, int]) -> None:
    random = np.random.default_rng(n)
    inputs, tiled = {}, {}
    system, other = before.system("test"), after.system("test")
    for variable in system.inputs:
        array = random.integers(-9, 10, box_of(variable.domain, {"N": n}).shape).astype(variable.type.numpy)
        inputs[variable.name] = array
        tiled[variable.name] = _tiled_input(variable, other.variable(variable.name), array, n, new)
    wanted = evaluate(before.program, before.checked.facts, "test", {"N": n}, inputs)
    values = evaluate(after.program, after.checked.facts, "test", new, tiled)
    for variable in system.outputs:
        here, there = box_of(variable.domain, {"N": n}), box_of(other.variable(variable.name).domain, new)
        points = list(other.variable(variable.name).domain.points(new))
        assert sorted(_whole(p, new["b"]) for p in points) == sorted(variable.domain.points({"N": n}))
        for point in points:
            old = tuple(z - low for z, low in zip(_whole(point, new["b"]), here.lower, strict=True))
            at = tuple(z - low for z, low in zip(point, there.lower, strict=True))
            assert values[variable.name][at] == wanted[variable.name][old], (variable.name, point, new)


def _sizes(divides: bool, least: int) -> list[tuple[int, dict[str, int]]]:
    results = []
    for size, blocks in product((1, 2, 3, 5), (0, 1, 2)):
        for rest in (0,) if divides else range(size):
            n = size * blocks + rest
            if n > 0 and size >= least:
                results.append((n, {"Nb": blocks, **({} if divides else {"Nl": rest}), "b": size}))
    return results


@pytest.mark.parametrize("equations", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize(("divides", "least"), thinned([(True, 1), (True, 3), (False, 2)], 3))
def test_every_value_is_in_its_block(equations: str, divides: bool, least: int) -> None:
    before = Design(read_program(Source("test.ab", _program(equations))))
    after = monoparametric_tiling(before, "test", "b", divides, least)
    read_program(Source("after.ab", ashow(after.program)))
    for n, new in _sizes(divides, least):
        _compare(before, after, n, new)


SQUARE = """affine test {N | N>0}
input int A {i,j | 0<=i<N && 0<=j<N};
output int B {i,j | 0<=j<=i<N};
let
  B[i,j] = case
    {| j==0}: REPLACED;
    {| 0<j<i}: B[i-1,j-1] + B[i-1,j];
    {| j>0 && i==j}: reduce(+, [k], {| 0<=k<j}: A[i,k] * A[k,j]);
  esac;
.
"""


@given(seed=st.integers(0, 2**20))
@settings(max_examples=4, deadline=None)
def test_tables(seed: int) -> None:
    random = Random(seed)
    read = random.choice(("A[i,j]", "A[N-1-i,i]", "A[j,i] - A[i,i]"))
    before = Design(read_program(Source("test.ab", SQUARE.replace("REPLACED", read))))
    after = monoparametric_tiling(before, "test", "b", random.random() < 0.7, random.choice((1, 2)))
    names = after.system("test").parameters
    for n, new in _sizes("Nl" not in names, 2)[:8]:
        _compare(before, after, n, new)
