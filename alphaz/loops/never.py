"""Proofs of emptiness for the passes: `alphaz.legality` proves that a set has no points, so that loops may omit it."""

from collections.abc import Callable
from typing import TypeAlias

from alphaz.poly.domain import Domain

Never: TypeAlias = Callable[[str, str, Domain], bool]
"""Returns True if a set is proved to have no points: the name of its scan, the claim, and the set."""


def unknown(_name: str, _claim: str, _domain: Domain) -> bool:
    """Returns False: no set is proved to be empty, and every loop stays."""
    return False
