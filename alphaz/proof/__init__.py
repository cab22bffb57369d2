"""Obligations and the engines that discharge them: isl, then z3.

Entry points: `Obligation` in `obligation.py`, `discharge` in `discharge.py`.
"""

from alphaz.proof.discharge import (
    BUDGET,
    FIRST,
    Contradiction,
    discharge,
    empty_at_a_glance,
    empty_at_length,
    holds,
    is_empty,
    patiently,
    soon_empty,
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
    "empty_at_a_glance",
    "empty_at_length",
    "holds",
    "is_empty",
    "patiently",
    "soon_empty",
]
