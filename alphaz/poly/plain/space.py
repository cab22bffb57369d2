"""Named integer spaces."""

from collections.abc import Iterable
from dataclasses import dataclass


class SpaceMismatch(Exception):
    """Two sets of different spaces were combined: a fault of alphaz, never of the user.

    isl would answer with an empty set, and an empty set reads as "proved": so this is checked first, always.
    """


@dataclass(frozen=True, slots=True)
class Space:
    """A named space: `names`, the dimensions in order, over `parameters`, in order. Names are distinct."""

    parameters: tuple[str, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        every = self.parameters + self.names
        if len(set(every)) != len(every):
            raise SpaceMismatch(f"duplicate name in {every}")

    @property
    def dimensions(self) -> int:
        return len(self.names)

    def with_names(self, names: Iterable[str]) -> "Space":
        """Returns the space of these dimensions over the same parameters."""
        return Space(self.parameters, tuple(names))

    def check_same_shape(self, other: "Space") -> None:
        """Raises SpaceMismatch unless parameters agree by name and dimensions by number."""
        if self.parameters != other.parameters or len(self.names) != len(other.names):
            raise SpaceMismatch(f"{self} and {other}")

    def __str__(self) -> str:
        return f"[{','.join(self.parameters)}] -> [{','.join(self.names)}]"


def fresh_names(count: int, stem: str, taken: Iterable[str]) -> tuple[str, ...]:
    """Returns `count` names `stem0, stem1, ...`, with underscores added until all are unused."""
    used = set(taken)
    while any(f"{stem}{position}" in used for position in range(count)):
        stem += "_"
    return tuple(f"{stem}{position}" for position in range(count))


def unlike(names: tuple[str, ...], taken: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names, with underscores appended to those in use."""
    used, result = set(taken), []
    for name in names:
        while name in used:
            name += "_"
        used.add(name)
        result.append(name)
    return tuple(result)
