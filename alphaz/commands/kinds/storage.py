"""The kind of storage formats: `packed upper column`."""

from collections.abc import Iterable
from itertools import product

from alphaz.commands.kinds.given import Given
from alphaz.commands.kinds.kind import Kind, SoFar, Unfit
from alphaz.mapping.target import Format, Half, Tightness

_WORDS = {
    " ".join(filter(None, (tightness, half, order))): Format(tightness, order == "column", half)
    for tightness, half, order in product(Tightness, (None, *Half), ("", "row", "column"))
}


class FormatKind(Kind):
    """Words in any order: how tightly, perhaps which half, by rows (if nothing is said) or by columns."""

    expected = 'a storage format, as in "packed upper row", "packed column" or "banded"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and _format(value) is not None

    def convert(self, given: Given, so_far: SoFar) -> Format:
        found = _format(given.value) if isinstance(given.value, str) else None
        if found is None:
            raise Unfit
        return found

    def suggestions(self, so_far: SoFar) -> Iterable[str]:
        return _WORDS


def _format(text: str) -> Format | None:
    words = sorted(text.lower().split())
    return next((value for known, value in _WORDS.items() if sorted(known.split()) == words), None)
