"""Obligations and the engines that discharge them: isl, then z3.

Entry points: `Obligation` in `obligation.py`, `discharge` in `discharge.py`.
"""

from alphaz.proof.discharge import (
    BUDGET,
    FIRST,
    Contradiction,
    discharge,
    holds,
    is_empty,
    is_empty_by_cases,
    is_empty_by_few_steps,
    is_empty_by_isl,
    with_growing_budget,
)
from alphaz.proof.obligation import Engine, Obligation, Proved, Refuted, Undecided, Values, Verdict

__all__ = [
    "BUDGET",
    "FIRST",
    "Contradiction",
    "Engine",
    "Obligation",
    "Proved",
    "Refuted",
    "Undecided",
    "Values",
    "Verdict",
    "discharge",
    "holds",
    "is_empty",
    "is_empty_by_cases",
    "is_empty_by_few_steps",
    "is_empty_by_isl",
    "with_growing_budget",
]
