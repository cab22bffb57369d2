"""The mutants of `scripts/mutate-verifier` still fit the code; whether the tests kill them, that script tells."""

from pathlib import Path

import pytest

from tools.mutation.mutants import ROOT, DoesNotApply, Mutant, table
from tools.mutation.operators import OPERATORS

VERIFIER, OF_C = table("verifier.md"), table("c.md")
CODE = """
def chosen(a, b):
    if not a:
        # Nothing is chosen.
        b.remove(a)
    return f(a, b)   and   a < b + 1
"""


@pytest.mark.parametrize("mutant", [*VERIFIER, *OF_C], ids=lambda mutant: mutant.name)
def test_every_mutant_changes_its_file(mutant: Mutant) -> None:
    path, after = mutant.mutated()
    before = (ROOT / path).read_text(encoding="utf-8")
    assert after != before


def test_there_are_enough_of_every_obligation() -> None:
    names = " ".join(mutant.name for mutant in VERIFIER)
    assert len({mutant.name for mutant in VERIFIER}) == len(VERIFIER) >= 125
    assert all(obligation in names for obligation in ("S1", "S2", "S3", "M1", "M2", "M3", "M4", "tiling"))


def test_there_are_enough_of_the_prover_of_c() -> None:
    names = " ".join(mutant.name for mutant in OF_C)
    assert len({mutant.name for mutant in OF_C}) == len(OF_C) >= 300
    assert all(family in names for family in ("C0", "C1", "C2", "C4", "C6", "R1", "R2", "R3", "R4", "order", "reads"))


def test_the_tests_of_every_mutant_exist() -> None:
    assert all((ROOT / test).exists() for mutant in (*VERIFIER, *OF_C) for test in mutant.tests)


@pytest.mark.parametrize(
    ("operator", "node", "argument", "after"),
    [
        ("never", "a < b + 1", "", "f(a, b)   and   (False)"),
        ("always", "a < b + 1", "", "f(a, b)   and   (True)"),
        ("empty", "f(a, b)", "", "(())   and   a < b + 1"),
        ("negate", "not a", "", "if (a):"),
        ("negate", "a < b + 1", "", "and   (not a < b + 1)"),
        ("swap", "f(a, b)", "", "(f(b, a))   and"),
        ("first of", "f(a, b)", "", "(f(a, b)[:1])   and"),
        ("one more than", "1", "", "a < b + (2)"),
        ("one less than", "f(a, b)", "", "(f(a, b) - 1)   and"),
        ("drop", "f(a, b)", "", "return (a < b + 1)"),
        ("drop", "1", "", "a < (b)"),
        ("unwrap", "f(a, b)", "", "(a)   and"),
        ("delete", "b.remove(a)", "", "        pass\n"),
        ("replace operator of", "b + 1", "-", "a < (b - 1)"),
        ("replace operator of", "a < b + 1", "<=", "(a <= b + 1)"),
        ("replace", "f(a,b)", "a", "(a)   and"),
    ],
)
def test_an_operator_changes_one_node(tmp_path: Path, operator: str, node: str, argument: str, after: str) -> None:
    text = _changed(tmp_path, Mutant("a mutant", "room:chosen", operator, node, argument))
    assert after in text
    assert "# Nothing is chosen." in text
    assert len(text.splitlines()) == len(CODE.splitlines())


def test_every_operator_is_tried_above() -> None:
    (marked,) = test_an_operator_changes_one_node.pytestmark  # type: ignore[attr-defined]
    assert {case[0] for case in marked.args[1]} == set(OPERATORS)


def test_what_no_longer_fits_is_shown_with_the_function_and_what_is_close(tmp_path: Path) -> None:
    with pytest.raises(DoesNotApply, match=r"stands 0 times in room:chosen") as problem:
        _changed(tmp_path, Mutant("gone", "room:chosen", "never", "a < b + 2"))
    assert "Close to it: `a < b + 1`" in str(problem.value)
    assert "def chosen(a, b):" in str(problem.value)


def test_a_function_that_is_gone_is_looked_for(tmp_path: Path) -> None:
    with pytest.raises(DoesNotApply, match=r"no function choose in alphaz/room \(.*close to it: chosen\)"):
        _changed(tmp_path, Mutant("gone", "room:choose", "never", "not a"))
    with pytest.raises(DoesNotApply, match=r"no function chosen in alphaz/other \(elsewhere: room\)"):
        _changed(tmp_path, Mutant("moved", "other:chosen", "never", "not a"))


def test_two_places_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(DoesNotApply, match="stands 4 times"):
        _changed(tmp_path, Mutant("ambiguous", "room:chosen", "never", "a"))


def _changed(folder: Path, mutant: Mutant) -> str:
    file = folder / "alphaz" / "room" / "below" / "module.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(CODE, encoding="utf-8")
    path, text = mutant.mutated(folder)
    assert path == "alphaz/room/below/module.py"
    return text
