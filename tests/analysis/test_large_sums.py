"""Sums over cases of a hundred branches in a dozen dimensions are decided, whether right or wrong."""

from random import Random

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source

pytestmark = pytest.mark.slow

NAMES = tuple(f"i{at}" for at in range(12))


def _branches(random: Random, known: list[str], count: int) -> list[list[str]]:
    """A decision tree: its leaves are disjoint, and together they are everything."""
    if count == 1:
        return [known]
    one, other = random.sample(NAMES, 2)
    limit = random.choice((1, 2, 3))
    right = f"{other}+{limit}" if random.random() < 0.5 else str(limit)
    half = count // 2
    yes = _branches(random, [*known, f"{one}<{right}"], half)
    return yes + _branches(random, [*known, f"{one}>={right}"], count - half)


def _program(branches: list[list[str]]) -> Source:
    box = " && ".join(f"0<={name}<N" for name in NAMES)
    case = "\n".join(f"{{| {' && '.join(item)}}}: A[i1] * {at};" for at, item in enumerate(branches))
    head = "affine sum {N | N>=4} input int A {i | 0<=i<N}; output int B {i0 | 0<=i0<N}; let"
    inner = ",".join(NAMES[1:])
    return Source("sum.ab", f"{head}\nB[i0] = reduce(+, [{inner}], {{| {box}}}: case\n{case}\nesac);\n.\n")


def test_a_right_sum_is_decided() -> None:
    checked = read_program(_program(_branches(Random(1), [], 100)))
    assert {warning.rule.code for warning in checked.warnings} <= {"AZ308"}


@pytest.mark.parametrize("kind", ["AZ305", "AZ312"])
def test_a_wrong_sum_is_refuted(kind: str) -> None:
    branches = _branches(Random(1), [], 60)
    rest = next(branch for branch in branches if len(branch) > 4 and len(set(branch)) == len(branch))
    wrong = [rest[1:] if branch is rest else branch for branch in branches] if kind == "AZ305" else branches[:-1]
    try:
        results = {warning.rule.code for warning in read_program(_program(wrong)).warnings}
    except Rejected as rejected:
        results = {diagnostic.rule.code for diagnostic in rejected.diagnostics}
    assert kind in results
    assert "AZ801" not in results
