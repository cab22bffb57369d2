"""What an engine answers to one question: has this set a point?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from alphaz.certificate.certificate import Stated


@dataclass(frozen=True, slots=True)
class Decision:
    """`empty` is None where the engine does not know; `reason` says why. `is_odd`: the entry contradicts itself."""

    empty: bool | None
    reason: str = ""
    is_odd: bool = False


Decide = Callable[[Stated, Mapping[str, int] | None], Decision]
"""Whether the violations of what is stated are empty; with values for its names, whether that point is none of them."""
