"""Calls a command: chooses its form, converts the arguments, runs it, and adds it to the history of the design."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import ARGUMENT
from alphaz.machine import Vectors
from alphaz.mapping.design import Design
from alphaz.scripting.commands.declaring.declaration import Command, CommandParameter, CommandStatus, Form
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue, MathValue, description, literal
from alphaz.scripting.commands.kinds.kind import ArgumentKind, EarlierArguments, Unfit
from alphaz.scripting.commands.kinds.parameter_types import GeneratorOptions
from alphaz.scripting.commands.kinds.program_parts import SelectedPart, reference_text
from alphaz.scripting.commands.outcome import Outcome


class ArgumentReader(Protocol):
    """The environment of a script: files, and a machine."""

    def read(self, name: str, span: Span) -> Source:
        """Returns the text of a file. Raises Rejected (AZ405, at the span) if it cannot be read."""
        ...

    def vectors(self) -> Vectors:
        """Returns the vectors of the target machine."""
        ...


@dataclass(frozen=True, slots=True)
class BoundCall:
    """The call of a command: `places` has the span of each given argument, by parameter."""

    command: str
    span: Span
    places: Mapping[str, Span]
    reader: ArgumentReader

    def at(self, parameter: str) -> Span:
        """Returns the place of the argument; that of the whole call if it is missing."""
        return self.places.get(parameter, self.span)


def perform(command: Command, arguments: Sequence[ArgumentValue], span: Span, reader: ArgumentReader) -> Outcome:
    """Runs the command. Raises Rejected if an argument does not fit its parameter."""
    if command.status is not CommandStatus.DONE:
        return _without_form(command, span, reader)
    return carry_out(command, _choose(command, arguments, span), arguments, span, reader)


def carry_out(
    command: Command, form: Form, arguments: Sequence[ArgumentValue], span: Span, reader: ArgumentReader
) -> Outcome:
    """Runs the command in the chosen form."""
    arguments = [_part_name(parameter, argument) for parameter, argument in zip(form, arguments, strict=True)]
    values = convert(command, form, arguments)
    places = {parameter.name: argument.span for parameter, argument in zip(form, arguments, strict=True)}
    with _with_call_place(span):
        result = _call_function(command, values, BoundCall(command.name, span, places, reader))
    outcome = result if isinstance(result, Outcome) else Outcome(result)
    pairs = zip(form, arguments, strict=True)
    doubts = tuple(
        doubt for parameter, argument in pairs for doubt in parameter.kind.doubts(argument, EarlierArguments(values))
    )
    return _with_history(command, arguments, replace(outcome, findings=(*doubts, *outcome.findings)))


def _part_name(parameter: CommandParameter, argument: ArgumentValue) -> ArgumentValue:
    """The name of a selected part of a program, if the parameter does not take the part itself."""
    return argument if parameter.kind.takes_parts else reference_text(argument)


def _call_function(command: Command, values: dict[str, object], call: BoundCall) -> object:
    """Calls the function; a repeated parameter is passed as positional arguments after the others."""
    repeated = next((parameter.name for form in command.forms for parameter in form if parameter.repeated), None)
    if repeated is None:
        return command.function(**values, call=call)
    several = values.pop(repeated)
    assert isinstance(several, tuple)
    return command.function(*values.values(), *several, call=call)


def _without_form(command: Command, span: Span, reader: ArgumentReader) -> Outcome:
    """A command without effect ignores its arguments."""
    result = command.function(call=BoundCall(command.name, span, {}, reader))
    assert isinstance(result, Outcome)
    return result


@contextmanager
def _with_call_place(span: Span) -> Iterator[None]:
    """A rejection with a place in the program, or without one, also gets the place of the call."""
    try:
        yield
    except Rejected as rejected:
        raise Rejected(*(_from_call(diagnostic, span) for diagnostic in rejected.diagnostics)) from None


def _from_call(diagnostic: Diagnostic, span: Span) -> Diagnostic:
    if diagnostic.primary.span.source is NOWHERE.source:
        return replace(diagnostic, primary=Label(span, diagnostic.primary.text))
    if any(label.span.source is span.source for label in (diagnostic.primary, *diagnostic.secondary)):
        return diagnostic
    return replace(diagnostic, secondary=(*diagnostic.secondary, Label(span, "in this command")))


def _choose(command: Command, arguments: Sequence[ArgumentValue], span: Span) -> Form:
    """The first form into which all arguments fit; else the one into which most do."""
    possible = [
        form for other_form in command.forms if len(form := _expand_form(other_form, len(arguments))) == len(arguments)
    ]
    if not possible:
        raise Rejected(_wrong_count(command, len(arguments), span))
    return closest(possible, arguments)


def _expand_form(form: Form, count: int) -> Form:
    """The form with its repeated parameter expanded to all remaining arguments."""
    if not form or not form[-1].repeated:
        return form
    return (*form, *[form[-1]] * (count - len(form)))


def closest(forms: Sequence[Form], arguments: Sequence[ArgumentValue]) -> Form:
    """Returns the first of the forms into which most arguments fit."""
    return max(forms, key=lambda form: _fitting(form, arguments))


def _fitting(form: Form, arguments: Sequence[ArgumentValue]) -> tuple[int, int, bool]:
    """The number of arguments that fit, the number before the first that does not, and whether that is a text where one
    of some words belongs."""
    fits = [_fits(parameter.kind, argument.value) for parameter, argument in zip(form, arguments, strict=True)]
    first = fits.index(False) if False in fits else len(fits)
    unfit = [*zip(form, arguments, strict=True)][first : first + 1]
    is_word = any(one.kind.names_words and isinstance(argument.value, str) for one, argument in unfit)
    return sum(fits), first, is_word


def _fits(kind: ArgumentKind, value: object) -> bool:
    return kind.fits(str(value) if isinstance(value, SelectedPart) and not kind.takes_parts else value)


def _wrong_count(command: Command, count: int, span: Span) -> Diagnostic:
    takes = _alternatives(sorted({len(form) for form in command.forms}))
    if any(form and form[-1].repeated for form in command.forms):
        takes = takes.replace(" argument", " or more argument")
    message = f"{command.name} takes {takes}, and is given {count}"
    return Diagnostic(ARGUMENT, message, Label(span), help=_usage(command))


def _alternatives(counts: list[int]) -> str:
    noun = "argument" if counts == [1] else "arguments"
    if counts == [0]:
        return "no arguments"
    *most, last = map(str, counts)
    return f"{', '.join(most)} or {last} {noun}" if most else f"{last} {noun}"


def _usage(command: Command) -> str:
    forms = list(command.signatures())
    return "write " + "\n   or ".join(forms) if len(forms) <= 4 else f"write {usage_line(command)}"


def usage_line(command: Command) -> str:
    """Returns the command with its parameters, optional ones in brackets."""
    return " or ".join(f"{command.name}({usage})" for usage in command.usage)


def convert(command: Command, form: Form, arguments: Sequence[ArgumentValue]) -> dict[str, object]:
    """Returns the converted arguments, from left to right: the meaning of an argument may depend on those before it.
    Raises Rejected."""
    values: dict[str, object] = {}
    findings: list[Diagnostic] = []
    for at, (parameter, argument) in enumerate(zip(form, arguments, strict=True)):
        try:
            value = parameter.kind.convert(argument, EarlierArguments(values, tuple(arguments[at + 1 :])))
            values[parameter.name] = (*_several(values, parameter), value) if parameter.repeated else value
        except Unfit as reason:
            findings.append(_unfit(command, parameter, argument, reason))
        except Rejected as rejected:
            findings.extend(rejected.diagnostics)
        if findings and parameter.name in ("design", "system", "node"):
            break
    if findings:
        raise Rejected(*findings)
    return values


def _several(values: dict[str, object], parameter: CommandParameter) -> tuple[object, ...]:
    before = values.get(parameter.name, ())
    assert isinstance(before, tuple)
    return before


def _unfit(command: Command, parameter: CommandParameter, argument: ArgumentValue, reason: Unfit) -> Diagnostic:
    message = f"{command.name}: the {parameter.parameter_text} must be {parameter.kind.expected}"
    label = Label(argument.span, str(reason) or f"this is {description(argument.value)}")
    return Diagnostic(ARGUMENT, message, label, help="\nelse ".join(filter(None, (reason.remedy, _usage(command)))))


def _with_history(command: Command, arguments: Sequence[ArgumentValue], outcome: Outcome) -> Outcome:
    """The outcome with a design whose history has the command as a line of a script."""
    if not (command.rebinds and isinstance(outcome.value, Design)):
        return outcome
    arguments_text = ", ".join(_value_text(argument.value) for argument in arguments)
    return replace(outcome, value=outcome.value.with_history(f"{command.name}({arguments_text});"))


def _value_text(value: object) -> str:
    match value:
        case Design():
            return "prog"
        case str() | MathValue():
            return literal(str(value))
        case GeneratorOptions():
            return f"{value.made_by}()"
        case bool():
            return str(int(value))
    return str(value)
