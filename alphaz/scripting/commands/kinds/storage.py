"""The kind of storage formats: `packed upper column`, `full column leading lda`."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from alphaz.mapping.target import LEADING, UNIT, Format, Half, Tightness
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.kind import ArgumentKind, SoFar, Unfit

_WORDS = {
    " ".join(filter(None, (tightness, half, unit, order))): Format(tightness, order == "column", half, unit=bool(unit))
    for tightness, half, unit, order in product(Tightness, (None, *Half), ("", UNIT), ("", "row", "column"))
    if not unit or tightness is Tightness.PACKED
}


class FormatKind(ArgumentKind):
    """Words in any order: the packing, optionally a half, optionally `unit` for packed formats, by rows (default) or by
    columns; then optionally `leading` and a parameter, which `full` requires."""

    expected = 'a storage format, as in "packed upper row", "packed column", "banded" or "full column leading lda"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and format_of(value) is not None

    def convert(self, given: ArgumentValue, so_far: SoFar) -> Format:
        found = format_of(given.value) if isinstance(given.value, str) else None
        if found is None:
            raise Unfit
        return found

    def suggestions(self, so_far: SoFar) -> Iterable[str]:
        return (text for text, format_ in _WORDS.items() if _fits(format_, ""))


def format_of(text: str) -> Format | None:
    """Returns the format of a text; None if it is not one."""
    words, leading = text.split(), ""
    if len(words) > 2 and words[-2].lower() == LEADING:
        *words, _, leading = words
    said = sorted(word.lower() for word in words)
    found = next((value for known, value in _WORDS.items() if sorted(known.split()) == said), None)
    if found is None or not _fits(found, leading):
        return None
    return replace(found, leading=leading)


def _fits(format_: Format, leading: str) -> bool:
    """Returns True if the leading dimension fits the format: packed rows have none; full arrays need one."""
    if format_.tightness is Tightness.PACKED:
        return not leading
    return bool(leading) or format_.tightness is Tightness.BANDED
