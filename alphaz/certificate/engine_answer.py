"""The type of an engine that decides whether a set of violations is empty, and the type of its answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from alphaz.certificate.mapping_inventory import Stated


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer. `empty` is None where the engine cannot decide; `reason` explains. `is_odd`: the entry contradicts
    itself.
    """

    empty: bool | None
    reason: str = ""
    is_odd: bool = False


Decide = Callable[[Stated, Mapping[str, int] | None], Decision]
"""Decides if the set of violations is empty; with values for its names, if that point is no violation."""
