"""The choices in a script: calls of `choose`, or else the sizes in the commands that tile."""

from collections.abc import Iterator

from alphaz.diagnostics import Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.rules import ARGUMENT
from alphaz.scripting.commands.catalogue import find
from alphaz.scripting.commands.kinds.kind import PieceKind, PositiveKind
from alphaz.syntax.parser import parse_script
from alphaz.syntax.script_tree import (
    CommandCall,
    Concatenation,
    NumberLiteral,
    ScriptExpression,
    ScriptText,
    TextLiteral,
)  # fmt: skip
from alphaz.tuning.space import SearchAxis, SearchSpace

CHOOSE = "choose"


def space_of(source: Source) -> SearchSpace:
    """Returns the space of a script; without axes if it has no choices. Raises Rejected for an invalid script."""
    script = parse_script(source)
    return SearchSpace(source, tuple(_declared_axes(script)) or tuple(_size_axes(script)))


def _calls(script: ScriptText) -> Iterator[CommandCall]:
    for statement in script.statements:
        yield from _inside(statement.value)


def _inside(node: ScriptExpression) -> Iterator[CommandCall]:
    """The calls of an expression, outer ones first."""
    match node:
        case CommandCall(_, arguments):
            yield node
            for argument in arguments:
                yield from _inside(argument)
        case Concatenation(parts):
            for part in parts:
                yield from _inside(part)


# --- choose -------------------------------------------------------------------------------------------------------


def _declared_axes(script: ScriptText) -> Iterator[SearchAxis]:
    """An axis for each name; a repeated name with the same alternatives is the same choice."""
    calls: dict[str, list[CommandCall]] = {}
    for call in _calls(script):
        if call.name.text == CHOOSE and call.arguments:
            calls.setdefault(_title(call), []).append(call)
    for name, together in calls.items():
        first, *others = (tuple(_literal(argument) for argument in call.arguments[1:]) for call in together)
        for call, other in zip(together[1:], others, strict=True):
            if other != first:
                raise Rejected(_different(name, call, together[0]))
        yield SearchAxis(name, tuple(dict.fromkeys(first)), tuple(call.span for call in together))


def _title(call: CommandCall) -> str:
    first = call.arguments[0]
    if isinstance(first, TextLiteral):
        return first.value
    raise Rejected(Diagnostic(ARGUMENT, f'the name of a choice is a text: {CHOOSE}("rows", 2, 4)', Label(first.span)))


def _literal(node: ScriptExpression) -> str:
    if isinstance(node, NumberLiteral | TextLiteral):
        return node.span.text
    raise Rejected(Diagnostic(ARGUMENT, "an alternative is a number or a text, as it is written", Label(node.span)))


def _different(name: str, call: CommandCall, first: CommandCall) -> Diagnostic:
    message = f"the choice `{name}` has other alternatives here than where it was made first"
    help_ = "give both the same alternatives, in the same order, or different names"
    return Diagnostic(ARGUMENT, message, Label(call.span), (Label(first.span, "made here"),), help=help_)


# --- sizes --------------------------------------------------------------------------------------------------------


def _size_axes(script: ScriptText) -> Iterator[SearchAxis]:
    """An axis for each literal size."""
    for call in _calls(script):
        for position, argument in enumerate(call.arguments):
            if isinstance(argument, NumberLiteral) and _is_size(call, position):
                alternatives = _sizes_around(argument.value)
                usual = alternatives.index(argument.value)
                yield SearchAxis(_place(call, argument), tuple(map(str, alternatives)), (argument.span,), usual)


def _place(call: CommandCall, argument: NumberLiteral) -> str:
    """`setTiling at 12:27`: the place is not repeated after the command."""
    line, column = argument.span.position
    return f"{call.name.text} at {line}:{column}"


def _is_size(call: CommandCall, position: int) -> bool:
    command = find(call.name.text)
    forms = [] if command is None else [form for form in command.forms if len(form) == len(call.arguments)]
    return bool(forms) and all(type(form[position].kind) in (PositiveKind, PieceKind) for form in forms)


def _sizes_around(size: int) -> tuple[int, ...]:
    """Half and twice the size, and values between for small sizes; for larger ones up to four times."""
    if size < 8:
        return tuple(sorted({max(1, size // 2), max(1, size - 1), size, size + 1, size + 2, 2 * size}))
    return tuple(sorted({size // 4, size // 2, size, 2 * size, 4 * size}))
