"""Storage formats of arguments without a script, in the syntax of `setStorageFormat`."""

from collections.abc import Mapping

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.nearest import listing
from alphaz.diagnostics.rules import C_SIGNATURE
from alphaz.mapping.layout import Layout, layout_of
from alphaz.mapping.target import StorageFormat
from alphaz.model.program import System
from alphaz.scripting.commands.kinds.storage import FormatKind, format_of


def layouts_said(system: System, said: Mapping[str, str]) -> dict[str, Layout]:
    """Returns the layouts of these formats. Raises Rejected (AZ822, AZ224)."""
    known = {v.name: v for v in (*system.inputs, *system.outputs)}
    found = {}
    for name, text in said.items():
        format_ = format_of(text)
        if name not in known:
            message, remedy = f"`{system.name}` has no input or output `{name}`", f"it has {listing(list(known))}"
            raise Rejected(Diagnostic(C_SIGNATURE, message, Label(system.span), help=remedy))
        if format_ is None:
            message, remedy = f"`{text}` is no storage format", f"say {FormatKind.expected}"
            raise Rejected(Diagnostic(C_SIGNATURE, message, Label(system.span), help=remedy))
        found[name] = layout_of(system, StorageFormat(name, format_, system.span), known[name])
    return found
