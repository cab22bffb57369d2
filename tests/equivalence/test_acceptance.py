"""The acceptance cases that are short; `scripts/accept-proofs` tries all twelve."""

import pytest

from tests.thinning import thinned
from tools.accept_proofs import CASES, LONG

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "number", thinned(sorted(CASES.keys() - LONG)), ids=lambda number: f"{number}-{CASES[number].__name__}"
)
def test_an_acceptance_case_holds(number: int) -> None:
    CASES[number]()


def test_there_are_twelve_acceptance_cases() -> None:
    assert sorted(CASES) == list(range(1, 13))
