"""What loops may leave out: `alphaz.verify` proves it, and whoever makes loops is told."""

from collections.abc import Callable
from typing import TypeAlias

from alphaz.poly.domain import Domain

Never: TypeAlias = Callable[[str, str, Domain], bool]
"""Whether a set is proved to have no points: the scan that it is about, by its name, what is claimed, and the set."""


def unknown(_name: str, _claim: str, _domain: Domain) -> bool:
    """Nothing is proved, and everything stays."""
    return False
