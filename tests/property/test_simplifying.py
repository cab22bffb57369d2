"""Simplified reductions give the same answers: random reductions that are constant along a random vector."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source, rules
from alphaz.mapping.design import Design
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.poly.algorithms.bounds import box_of
from alphaz.transform.reductions.reuse_simplification import simplifying_reduction

pytestmark = pytest.mark.slow

_BOUNDS = ("0<=k<=i", "0<=k<i", "i<=k<N", "i<=k<=i+2", "0<=k<N", "0<=k && 2k<=i", "i<=2k && k<N", "0<=k<=i && i+k<=N")
_MORE = ("0<=m<=k", "k<=m<N", "0<=m<=i", "i-1<=m<=i", "0<=m && m<=i+k && m<=N")


def reduction(random: Random) -> tuple[str, tuple[int, ...]]:
    """A program with one reduction over k, or k and m, whose body reads A at one linear form; and a vector along which
    that form is constant."""
    operator = random.choice(("+", "+", "max", "xor"))
    names = ("i", "k") if random.random() < 0.5 else ("i", "k", "m")
    form = [random.choice((0, 1, -1)) for _ in names]
    while True:
        vector = tuple(random.choice((0, 1, -1, 2)) for _ in names)
        if any(vector) and sum(a * b for a, b in zip(form, vector, strict=True)) == 0:
            break
    index = "".join(f"{c:+d}{n}" for c, n in zip(form, names, strict=True) if c).removeprefix("+") or "0"
    bounds = random.choice(_BOUNDS) + (f" && {random.choice(_MORE)}" if len(names) == 3 else "")
    type_, body = ("bool", "A") if operator == "xor" else ("long", "A")
    text = f"""affine test {{N | N>=1}}
    input {type_} {body} {{a | -9-9N<=a<=9+9N}};
    output {type_} Y {{i | 0<=i<N}};
    let Y[i] = reduce({operator}, [{",".join(names[1:])}], {{| {bounds}}}: A[{index}]); .
    """
    return text, vector


@given(seed=st.integers(0, 2**20))
@settings(max_examples=15, deadline=None)
def test_a_simplified_reduction_gives_the_same_answers(seed: int) -> None:
    text, vector = reduction(Random(seed))
    before = Design(read_program(Source("test.ab", text)))
    try:
        after = simplifying_reduction(before, "test", "Y", vector)
    except Rejected as rejected:
        if {d.rule for d in rejected.diagnostics} != {rules.PRECONDITION}:
            raise
        return
    for size in (1, 2, 5):
        one, two = _answers(before, size, seed), _answers(after, size, seed)
        np.testing.assert_array_equal(one, two)


def _answers(design: Design, size: int, seed: int) -> np.ndarray:
    (variable,) = design.system("test").inputs
    shape = box_of(variable.domain, {"N": size}).shape
    values = np.random.default_rng(seed).integers(-9, 9, shape)
    given_ = values > 0 if variable.type.name == "bool" else values
    return evaluate(design.program, design.checked.facts, "test", {"N": size}, {"A": given_})["Y"]
