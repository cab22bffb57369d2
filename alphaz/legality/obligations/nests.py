"""Finds the families that write into one memory space by their loop nests.

In a program of many nests almost every pair of families is ordered by the leading constants of its dates. Such pairs
need no obligation, so this search skips them without enumerating them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

from alphaz.order.operations import StatementInstances
from alphaz.order.precedence import always_before

# The moment of a family, and the constants of the ordering dimensions that lead its dates.
Key = tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Nests:
    """All `families` in their order and by their keys, with the sorted keys."""

    families: tuple[StatementInstances, ...]
    _numbers: dict[Key, list[int]] = field(init=False, repr=False)
    _keys: list[Key] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        numbers: dict[Key, list[int]] = {}
        for number, family in enumerate(self.families):
            numbers.setdefault(_key(family), []).append(number)
        object.__setattr__(self, "_numbers", numbers)
        object.__setattr__(self, "_keys", sorted(numbers))

    def between(self, first: StatementInstances, last: StatementInstances) -> Iterator[StatementInstances]:
        """Yields, in their order, the families that are neither always before the first nor always after the last."""
        return (self.families[number] for number in self._between(first, last))

    def pairs(self) -> Iterator[tuple[StatementInstances, StatementInstances]]:
        """Yields every pair of families, including each family with itself, of which neither is always before the
        other.
        """
        for at, one in enumerate(self.families):
            yield from ((one, self.families[number]) for number in self._between(one, one) if number >= at)

    def _between(self, first: StatementInstances, last: StatementInstances) -> list[int]:
        keys = (*self._from(_key(first), _key(last)), *self._around(_key(first)))
        found = sorted(number for key in keys for number in self._numbers[key])
        return [number for number in found if not always_before(last, self.families[number])]

    def _from(self, first: Key, last: Key) -> list[Key]:
        """Returns the nests from that of the first to those inside that of the last, in the order of
        their constants.
        """
        return self._keys[bisect_left(self._keys, first) : bisect_right(self._keys, (*last, inf))]

    def _around(self, first: Key) -> Iterator[Key]:
        """Yields the nests that contain the nest of the first."""
        return (first[:length] for length in range(len(first)) if first[:length] in self._numbers)


def _key(family: StatementInstances) -> Key:
    return (family.moment, *family.nest)
