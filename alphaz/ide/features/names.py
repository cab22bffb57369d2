"""Occurrences of names: of systems and variables in a program, and in the texts of a script that refer to them.

They are found in the syntax trees, so that a program with mistakes elsewhere still has its names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from alphaz.diagnostics import Rejected, Source, Span
from alphaz.scripting.commands.catalogue import find
from alphaz.scripting.commands.kinds.kind import ArgumentKind, ProgramKind
from alphaz.scripting.commands.kinds.names import StatementsKind, SystemKind, VariablesKind
from alphaz.syntax import tree
from alphaz.syntax.parser import parse_script
from alphaz.syntax.partial_programs import salvage_program
from alphaz.syntax.script_build import content_span
from alphaz.syntax.script_tree import CommandCall, ScriptExpression, ScriptText, TextLiteral, VariableUse
from alphaz.syntax.tree import parts

_READS = "ReadAlphabets"
_LABEL = "UseEquation_"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A system (`variable` is empty) or a variable of it; or a variable of a script (`system` is empty)."""

    system: str
    variable: str = ""

    @property
    def name(self) -> str:
        return self.variable or self.system


@dataclass(frozen=True, slots=True)
class NameOccurrence:
    """An occurrence of a symbol. `file` is the program to which a script refers, as written in the script."""

    symbol: Symbol
    span: Span
    defines: bool = False
    file: str = ""


def in_program(source: Source) -> list[NameOccurrence]:
    """Returns every name of a system or a variable, in the order of the text; empty if the text cannot be parsed."""
    try:
        text = salvage_program(source).text
    except Rejected:
        return []
    symbols = [symbol for system in text.systems for symbol in _in_system(system)]
    return sorted(symbols, key=lambda symbol: symbol.span.start)


def _in_system(system: tree.SystemText) -> Iterator[NameOccurrence]:
    own = system.name.text
    yield NameOccurrence(Symbol(own), _bare(system.name), defines=True)
    declared = {name.text for declaration in _declarations(system) for name in declaration.names}
    for declaration in _declarations(system):
        for name in declaration.names:
            yield NameOccurrence(Symbol(own, name.text), _bare(name), defines=True)
    for name in _used_names(system):
        if name.text in declared:
            yield NameOccurrence(Symbol(own, name.text), _bare(name))
    for equation in system.equations:
        if isinstance(equation, tree.UseText):
            yield NameOccurrence(Symbol(equation.system.text), _bare(equation.system))


def _declarations(system: tree.SystemText) -> tuple[tree.Declaration, ...]:
    return (*system.inputs, *system.outputs, *system.locals)


def _used_names(system: tree.SystemText) -> Iterator[tree.Name]:
    for equation in system.equations:
        match equation:
            case tree.EquationText(name, _, body):
                yield name
                yield from _read(body)
            case tree.UseText(_, _, _, inputs, outputs):
                for input_ in inputs:
                    yield from _read(input_)
                yield from outputs
    if system.loop is not None:
        yield from _read(system.loop.condition)


def _read(expression: tree.ExpressionNode) -> Iterator[tree.Name]:
    if isinstance(expression, tree.Reference):
        yield expression.name
    for part in parts(expression):
        yield from _read(part)


def _bare(name: tree.Name) -> Span:
    """The name without the `^` of a reserved word."""
    start = name.span.start + (name.span.text.startswith("^"))
    return Span(name.span.source, start, name.span.end)


# --- scripts ----------------------------------------------------------------------------------------------------------


def in_script(source: Source) -> list[NameOccurrence]:
    """Returns every name of a system or a variable of a program, and every variable of the script, in the order of the
    text."""
    statements = parse_script_or_none(source)
    return [] if statements is None else list(_Names().of(statements))


def parse_script_or_none(source: Source) -> ScriptText | None:
    """Returns the tree of a script; None if it has a mistake."""
    try:
        return parse_script(source)
    except Rejected:
        return None


def programs(source: Source) -> list[TextLiteral]:
    """Returns the names of the files that a script reads."""
    text = parse_script_or_none(source)
    calls = [] if text is None else [call for statement in text.statements for call in calls_in(statement.value)]
    return [
        call.arguments[0]
        for call in calls
        if call.name.text == _READS and call.arguments and isinstance(call.arguments[0], TextLiteral)
    ]  # fmt: skip


def calls_in(expression: ScriptExpression) -> Iterator[CommandCall]:
    """Yields the calls of an expression, outermost first."""
    if isinstance(expression, CommandCall):
        yield expression
        for argument in expression.arguments:
            yield from calls_in(argument)


@dataclass(slots=True)
class _Names:
    """`files`: for each variable of the script, the program that it was read from."""

    files: dict[str, str] = field(default_factory=dict)

    def of(self, text: ScriptText) -> Iterator[NameOccurrence]:
        for statement in text.statements:
            target = statement.target
            known = {} if target is None else self.files
            if target is not None:
                yield NameOccurrence(Symbol("", target.text), target.span, defines=target.text not in known)
                self._bind(target.text, statement.value)
            for call in calls_in(statement.value):
                yield from self._in_call(call)

    def _bind(self, name: str, value: ScriptExpression) -> None:
        match value:
            case CommandCall(tree.Name(text), (TextLiteral(file), *_)) if text == _READS:
                self.files[name] = file
            case CommandCall(_, (VariableUse(tree.Name(other)), *_)) | VariableUse(tree.Name(other)):
                self.files[name] = self.files.get(other, "")

    def _in_call(self, call: CommandCall) -> Iterator[NameOccurrence]:
        for argument in call.arguments:
            if isinstance(argument, VariableUse):
                yield NameOccurrence(Symbol("", argument.name.text), argument.span)
        kinds = _kinds(call)
        file, system = "", ""
        for argument, kind in zip(call.arguments, kinds, strict=False):
            if isinstance(argument, VariableUse) and isinstance(kind, ProgramKind):
                file = self.files.get(argument.name.text, "")
            elif isinstance(argument, TextLiteral) and isinstance(kind, SystemKind):
                system = argument.value.strip()
                for span, name in _listed_names(argument):
                    yield NameOccurrence(Symbol(name), span, file=file)
            elif isinstance(argument, TextLiteral) and isinstance(kind, VariablesKind | StatementsKind):
                for span, name in _listed_names(argument):
                    if not name.startswith(_LABEL):
                        yield NameOccurrence(Symbol(system, name), span, file=file)


def _kinds(call: CommandCall) -> list[ArgumentKind]:
    """The kinds of the arguments, in the form that fits them best."""
    command = find(call.name.text)
    forms = [] if command is None else [form for form in command.forms if len(form) == len(call.arguments)]
    if not forms:
        return []

    def fitting(number: int) -> int:
        return sum(
            not isinstance(argument, TextLiteral) or parameter.kind.fits(argument.value)
            for parameter, argument in zip(forms[number], call.arguments, strict=True)
        )

    return [parameter.kind for parameter in forms[max(range(len(forms)), key=fitting)]]


def _listed_names(literal: TextLiteral) -> Iterator[tuple[Span, str]]:
    """The names in a text, with their places; none if the text has escapes."""
    inside = content_span(literal)
    if inside.text == literal.value:
        for word in re.finditer(r"[A-Za-z_0-9][-A-Za-z_0-9]*", inside.text):
            yield Span(inside.source, inside.start + word.start(), inside.start + word.end()), word[0]


def at(occurrences: list[NameOccurrence], offset: int) -> NameOccurrence | None:
    """Returns the name at a character, or just before it."""
    return next(
        (occurrence for occurrence in occurrences if occurrence.span.start <= offset <= occurrence.span.end), None
    )
