"""Obligations and the one engine that discharges them."""

from alphaz.proof.discharge import BUDGET, Contradiction, discharge, holds, patiently
from alphaz.proof.obligation import Engine, Obligation, Proved, Refuted, Undecided, Values, Verdict

__all__ = [
    "BUDGET",
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
    "patiently",
]
