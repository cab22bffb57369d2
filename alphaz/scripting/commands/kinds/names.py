"""Kinds of arguments that are names in the program: systems, variables, statements."""

import re
from collections.abc import Iterable
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.diagnostics.rules import UNKNOWN_TARGET
from alphaz.mapping.statement import labelled_uses, statement_names
from alphaz.model.program import Kind as VariableKindOf
from alphaz.model.program import System
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.kind import ArgumentKind, EarlierArguments, Unfit

_TITLE = re.compile(r"([0-9A-Za-z_][-0-9A-Za-z_]*-)?[0-9]*[A-Za-z_][0-9A-Za-z_]*")
# The names of variables made by NormalizeReduction.
_HOISTED = "NR_"
_NAME = re.compile(r"\^?[A-Za-z_][A-Za-z_0-9]*")


class SystemKind(ArgumentKind):
    expected = "the name of a system"

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and _TITLE.fullmatch(value.strip()) is not None

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:
        if not isinstance(argument.value, str):
            raise Unfit
        name = argument.value.strip()
        names = [system.name for system in earlier.design.program.systems]
        if name not in names:
            message = f"the program has no system `{name}`"
            raise Rejected(_unknown(message, argument.span, name, names, f"its systems are {listing(names)}"))
        return name

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return (system.name for system in earlier.design.program.systems)


class NameListKind(ArgumentKind):
    """Names, separated by commas and perhaps spaces; at least one, none twice."""

    expected = 'names, separated by commas, as in "A, B"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and _names(value) is not None

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[str, ...]:
        names = _names(argument.value) if isinstance(argument.value, str) else None
        if names is None:
            raise Unfit
        if repeated := [name for at, name in enumerate(names) if name in names[:at]]:
            raise Unfit(f"`{repeated[0]}` is named twice", f"name `{repeated[0]}` once")
        return tuple(names)


class OneNameKind(NameListKind):
    expected = "a name"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:  # type: ignore[override]
        return _only(super().convert(argument, earlier))


class IndexNamesKind(NameListKind):
    """The names of indices; empty for a scalar."""

    expected = 'names of indices, separated by commas, as in "i,j"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and (not value.strip() or super().fits(value))

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[str, ...]:
        return (
            () if isinstance(argument.value, str) and not argument.value.strip() else super().convert(argument, earlier)
        )


class VariablesKind(NameListKind):
    """Variables of the system that is an earlier argument."""

    expected = 'variables of the system, separated by commas, as in "A, B"'

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[str, ...]:
        names = super().convert(argument, earlier)
        findings = [
            _unknown_variable(name, argument, earlier.system) for name in names if not _has(earlier.system, name)
        ]
        if findings:
            raise Rejected(*findings)
        return names

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return (variable.name for variable in earlier.system.variables)


class VariableKind(VariablesKind):
    expected = "a variable of the system"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:  # type: ignore[override]
        return _only(super().convert(argument, earlier))


class InputsKind(VariablesKind):
    """Inputs of the system."""

    expected = 'inputs of the system, separated by commas, as in "A, B"'

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[str, ...]:
        names = super().convert(argument, earlier)
        for name in names:
            kind = earlier.system.variable(name).kind
            if kind is not VariableKindOf.INPUT:
                raise Unfit(f"`{name}` is {'an output' if kind is VariableKindOf.OUTPUT else 'a local'}, no input")
        return names

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return (variable.name for variable in earlier.system.inputs)


class EquatedKind(VariableKind):
    """A variable that has an equation."""

    expected = "a local or output variable of the system"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:  # type: ignore[override]
        name = super().convert(argument, earlier)
        if earlier.system.variable(name).kind is VariableKindOf.INPUT:
            raise Unfit(f"`{name}` is an input: it has no equation")
        return name

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return (variable.name for variable in earlier.system.variables if variable.kind is not VariableKindOf.INPUT)


class StatementsKind(NameListKind):
    """Variables of the system, and its use equations by label."""

    expected = 'variables of the system, separated by commas, as in "A, B", or labels of use equations'

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[str, ...]:
        names = super().convert(argument, earlier)
        statements = statement_names(earlier.system)
        findings = [_unknown_statement(name, argument, earlier.system) for name in names if name not in statements]
        if findings:
            raise Rejected(*findings)
        return names

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return statement_names(earlier.system)


class StatementKind(StatementsKind):
    expected = "a variable of the system, or the label of a use equation"

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:  # type: ignore[override]
        return _only(super().convert(argument, earlier))


class LabelKind(ArgumentKind):
    """A use equation: `UseEquation_` and its first output."""

    expected = 'the label of a use equation, as in "UseEquation_C"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and _NAME.fullmatch(value.strip()) is not None

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:
        if not isinstance(argument.value, str):
            raise Unfit
        label, labels = argument.value.strip(), list(labelled_uses(earlier.system))
        if label not in labels:
            message = f"system `{earlier.system.name}` has no use equation `{label}`"
            listed = f"its use equations are {listing(labels)}" if labels else "it has no use equations"
            raise Rejected(_unknown(message, argument.span, label, labels, listed))
        return label

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return labelled_uses(earlier.system)


class NewNameKind(ArgumentKind):
    """A new identifier: a memory space, a new variable, a band."""

    expected = "a name: letters, digits and underscores, no digit in front"

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and _NAME.fullmatch(value.strip()) is not None

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> str:
        if not self.fits(argument.value):
            raise Unfit
        return str(argument.value).strip().removeprefix("^")


class SystemTitleKind(NewNameKind):
    """A name for a system, which may have dashes and begin with a digit: `2mm`, `jacobi-1d`."""

    expected = "a name for a system: letters, digits, underscores and dashes"

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and _TITLE.fullmatch(value.strip()) is not None


def _only(names: tuple[str, ...]) -> str:
    if len(names) != 1:
        raise Unfit
    return names[0]


def _names(text: str) -> list[str] | None:
    """The names of a list; None if it is not one. A leading `^` is not part of a name."""
    parts = [part.strip() for part in text.split(",")]
    if not all(_NAME.fullmatch(part) for part in parts):
        return None
    return [part.removeprefix("^") for part in parts]


def _has(system: System, name: str) -> bool:
    return any(variable.name == name for variable in system.variables)


def _unknown_variable(name: str, argument: ArgumentValue, system: System) -> Diagnostic:
    names = [variable.name for variable in system.variables]
    message = f"system `{system.name}` has no variable `{name}`"
    finding = _unknown(message, _place(name, argument), name, names, f"its variables are {listing(names)}")
    if name.startswith(_HOISTED) and finding.help is None:
        return replace(finding, help=_about_hoisted(name.removeprefix(_HOISTED), names))
    return finding


def _about_hoisted(owner: str, names: list[str]) -> str:
    """A note about the command that makes variables of such a name."""
    if owner in names:
        return (
            f"NormalizeReduction makes `{_HOISTED}{owner}`, unless `{owner}` is one reduction: then `{owner}` is meant"
        )
    return f"NormalizeReduction makes the variables `{_HOISTED}...`: call it before"


def _unknown_statement(name: str, argument: ArgumentValue, system: System) -> Diagnostic:
    if not labelled_uses(system):
        return _unknown_variable(name, argument, system)
    names = list(statement_names(system))
    message = f"system `{system.name}` has no variable and no use equation `{name}`"
    return _unknown(message, _place(name, argument), name, names, f"it has {listing(names)}")


def _place(name: str, argument: ArgumentValue) -> Span:
    """The place of the name in the list."""
    text = argument.text_span()
    if argument.characters is None or text != argument.characters:
        return argument.span
    match = re.search(rf"(?<![A-Za-z_0-9]){re.escape(name)}(?![A-Za-z_0-9])", text.text)
    assert match is not None
    return Span(text.source, text.start + match.start(), text.start + match.end())


def _unknown(message: str, span: Span, name: str, names: list[str], listed: str) -> Diagnostic:
    return Diagnostic(UNKNOWN_TARGET, message, Label(span), notes=(listed,), help=did_you_mean(name, names))
