"""The kind of storage formats, `packed upper column`, and storage formats of arguments without a script."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import C_SIGNATURE
from alphaz.mapping.storage_formats import Layout, layout_of
from alphaz.mapping.target_mapping import LEADING, UNIT, Format, Half, StorageFormat, Tightness
from alphaz.model.program import System
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.kind import ArgumentKind, EarlierArguments, Unfit

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

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> Format:
        format_ = format_of(argument.value) if isinstance(argument.value, str) else None
        if format_ is None:
            raise Unfit
        return format_

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return (text for text, format_ in _WORDS.items() if _fits(format_, ""))


def format_of(text: str) -> Format | None:
    """Returns the format of a text; None if it is not one."""
    words, leading = text.split(), ""
    if len(words) > 2 and words[-2].lower() == LEADING:
        *words, _, leading = words
    words_ = sorted(word.lower() for word in words)
    format_ = next((value for name, value in _WORDS.items() if sorted(name.split()) == words_), None)
    if format_ is None or not _fits(format_, leading):
        return None
    return replace(format_, leading=leading)


def _fits(format_: Format, leading: str) -> bool:
    """Returns True if the leading dimension fits the format: packed rows have none; full arrays need one."""
    if format_.tightness is Tightness.PACKED:
        return not leading
    return bool(leading) or format_.tightness is Tightness.BANDED


def layouts_said(system: System, texts: Mapping[str, str]) -> dict[str, Layout]:
    """Returns the layouts of these formats. Raises Rejected (AZ834, AZ224)."""
    variables = {v.name: v for v in (*system.inputs, *system.outputs)}
    layouts = {}
    for name, text in texts.items():
        format_ = format_of(text)
        if name not in variables:
            message, remedy = f"`{system.name}` has no input or output `{name}`", f"it has {listing(list(variables))}"
            raise Rejected(Diagnostic(C_SIGNATURE, message, Label(system.span), help=remedy))
        if format_ is None:
            message, remedy = f"`{text}` is no storage format", f"say {FormatKind.expected}"
            raise Rejected(Diagnostic(C_SIGNATURE, message, Label(system.span), help=remedy))
        layouts[name] = layout_of(system, StorageFormat(name, format_, system.span), variables[name])
    return layouts
