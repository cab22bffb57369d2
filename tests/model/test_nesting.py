"""Expressions that nest deeper than Python lets the text of one function nest."""

from itertools import pairwise

import numpy as np
import pytest

from alphaz.analysis.facts.work_and_traffic import work_text
from alphaz.codegen.demand.write_c import write_c
from tests.model.programs import checked, output


def program(body: str, type_: str = "int") -> str:
    return f"affine f {{N | N>=1}} input int x {{i | 0<=i<N}}; output {type_} y {{i | 0<=i<N}};\nlet y[i] = {body}; .\n"


def chain(count: int, last: str) -> str:
    return "".join(f"if x[i] == {at} then {at * at} else " for at in range(count)) + last


@pytest.mark.parametrize("depth", [1, 5, 6, 9, 13])
def test_reductions_in_each_other(depth: int) -> None:
    heads = "".join(f"reduce(+, [j{at}], {{| 0<=j{at}<2}} : " for at in range(depth))
    body = heads + "x[i]" + "".join(f"+[j{at}]" for at in range(depth)) + ")" * depth
    assert output(program(body), {"N": 2}, {"x": [0, 3]}) == [
        depth * 2 ** (depth - 1),
        (2 * 3 + depth) * 2 ** (depth - 1),
    ]


@pytest.mark.parametrize("count", [8, 9, 20, 41])
def test_one_reduction_over_many_indices(count: int) -> None:
    names = [f"j{at}" for at in range(count)]
    # A bound of another index, so that loops need what loops further out bind.
    bounds = [
        "0<=j0<=i",
        "0<=j1<2",
        *(f"{a}<={b}<{a}+{1 + (at % 4 == 0)}" for at, (a, b) in enumerate(pairwise(names[1:]))),
    ]
    body = f"reduce(+, [{','.join(names)}], {{| {' && '.join(bounds)}}} : x[i] + [{names[-1]}])"
    wide = (len(names[2:]) + 3) // 4
    steps = [value for first in range(2) for value in _ends(first, wide)]
    assert output(program(body), {"N": 2}, {"x": [1, 5]}) == [sum(1 + s for s in steps), 2 * sum(5 + s for s in steps)]


def _ends(first: int, steps: int) -> list[int]:
    results = [first]
    for _ in range(steps):
        results = [value + more for value in results for more in (0, 1)]
    return results


@pytest.mark.slow
@pytest.mark.parametrize("count", [39, 100, 1_900])
def test_one_choice_after_another(count: int) -> None:
    text = program(chain(count, "if x[i] > 5000 then 1/(x[i]-x[i]) else 7"))
    assert output(text, {"N": 3}, {"x": [0, count - 1, count]}) == [0, (count - 1) ** 2, 7]


def test_choices_whose_values_are_asked_for() -> None:
    text = f"""
    affine p {{N | N>1}} input int x {{i | 0<=i<2N}}; output int A {{i | 0<=i<2N}}; local int B {{i | 0<=i<2N}};
    let A[i] = case {{| i==0}} : 0; {{| 0<i<N}} : {chain(60, "B[i-1] + 1")}; {{| i>=N && i<2N-1}} : A[i+1] + 1;
        {{| i==2N-1}}: A[N-1]; esac;
        B[i] = reduce(+, [j,k,l,m,n,o,q,r,s], {{| i<=j<=i && 0<=(k,l,m,n,o,q,r,s)<1}} : A[j]) + 0; .
    """
    n = 400
    got = output(text, {"N": n}, {"x": [-1] * (2 * n)})
    assert got[:n] == list(range(n))
    assert got[n:] == [n - 1 + n - 1 - k for k in range(n)]


def test_operators_that_stop_at_the_first_operand_that_decides() -> None:
    body = "x[i] > 0"
    for at in range(150):
        body = f"(x[i] == {at} or (x[i] < {at + 200} and {body}))"
    assert output(program(body, "bool"), {"N": 3}, {"x": [0, -1, 349]}) == [1, 0, 0]


def test_a_variable_of_many_dimensions() -> None:
    names = [f"i{at}" for at in range(25)]
    domain = f"{{{','.join(names)} | {' && '.join(f'0<={n}<{1 + (at in (3, 20))}' for at, n in enumerate(names))}}}"
    body = f"x[{','.join(names)}] + [i3 + 2i20]"
    text = f"affine f {{|}} input int x {domain}; output int y {domain}; let y[{','.join(names)}] = {body}; ."
    shape = tuple(1 + (at in (3, 20)) for at in range(25))
    got = output(text, {}, {"x": np.zeros(shape, dtype=int)})
    assert np.array(got).ravel().tolist() == [0, 2, 1, 3]


@pytest.mark.slow
def test_a_case_of_many_branches() -> None:
    branches = " ".join(f"{{| i=={at}}} : x[i] + {at};" for at in range(400))
    declared = "input int x {i | 0<=i<400}; output int y {i | 0<=i<400};"
    text = f"affine f {{|}} {declared} let y[i] = case {branches} esac; ."
    assert output(text, {}, {"x": [1] * 400}) == [1 + at for at in range(400)]


@pytest.mark.slow
@pytest.mark.long
def test_what_is_deep_has_c_and_operations_that_are_counted() -> None:
    deep = checked(program(chain(1_900, "7")))
    assert "1899" in write_c(deep, "f").files["f.c"]
    assert "y: N values" in work_text(deep.facts, deep.program.systems[0])
