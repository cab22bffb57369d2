"""The mutants of `scripts/mutate-verifier` still fit the code; whether the tests kill them, that script tells."""

import pytest

from tests.equivalence.c_faults import FAULTS
from tests.legality.mutants import MUTANTS
from tests.legality.mutation import ROOT, DoesNotApply, Mutant

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mutant", [*MUTANTS, *FAULTS], ids=lambda mutant: mutant.name)
def test_it_applies(mutant: Mutant) -> None:
    after = mutant.text()
    assert after != (ROOT / mutant.path).read_text(encoding="utf-8")
    compile(after, mutant.path, "exec")


def test_there_are_enough_of_every_obligation() -> None:
    assert len(MUTANTS) >= 25
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    names = " ".join(mutant.name for mutant in MUTANTS)
    assert all(obligation in names for obligation in ("S1", "S2", "S3", "M1", "M2", "M3", "M4", "tiling"))


def test_there_are_enough_of_the_checker_of_c_programs() -> None:
    assert len({mutant.name for mutant in FAULTS}) == len(FAULTS) >= 60
    names = " ".join(mutant.name for mutant in FAULTS)
    assert all(family in names for family in ("C0", "C1", "C2", "C4", "C6", "R1", "R2", "R3", "R4", "order", "reads"))


def test_a_mutant_that_no_longer_fits_is_an_error() -> None:
    gone = Mutant("gone", "order/precedence.py", "Order.failures", "nowhere(at, all)", "True")
    with pytest.raises(DoesNotApply, match="stands 0 times"):
        gone.text()
    with pytest.raises(DoesNotApply, match="0 functions"):
        Mutant("gone", "order/precedence.py", "Order.nothing", "True", "False").text()


def test_only_the_named_place_changes() -> None:
    mutant = MUTANTS[0]
    before, after = (ROOT / mutant.path).read_text(encoding="utf-8"), mutant.text()
    changed = [pair for pair in zip(before.splitlines(), after.splitlines(), strict=True) if pair[0] != pair[1]]
    assert len(changed) == 1
