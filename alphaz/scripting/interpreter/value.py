"""Expressions of a script -> arguments: texts and numbers, variables, concatenation, calls inside calls."""

from collections.abc import Callable, Mapping

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.nearest import did_you_mean
from alphaz.diagnostics.rules import ARGUMENT, UNKNOWN_TARGET
from alphaz.mapping.design import Design
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue, MathValue
from alphaz.scripting.commands.kinds.described import described, text_of
from alphaz.syntax.script_build import content_span
from alphaz.syntax.script_tree import (
    CommandCall,
    Concatenation,
    NumberLiteral,
    ScriptExpression,
    TextLiteral,
    VariableUse,
)  # fmt: skip

Variables = Mapping[str, ArgumentValue]

# The values of these names unless the script assigns them.
_TRUTH = {"true": True, "false": False}


class Broken(Exception):
    """A variable is used whose command failed; the failure is reported already."""


BROKEN = object()
"""The value of a variable whose command failed."""


def evaluate(node: ScriptExpression, variables: Variables, call: Callable[[CommandCall], object]) -> ArgumentValue:
    """Returns the value of an expression, and its place. Raises Rejected, or Broken."""
    match node:
        case TextLiteral(value):
            return ArgumentValue(value, node.span, content_span(node))
        case NumberLiteral(value):
            return ArgumentValue(value, node.span)
        case VariableUse(name) if name.text in _TRUTH and name.text not in variables:
            return ArgumentValue(_TRUTH[name.text], node.span)
        case VariableUse(name):
            found = _variable(name.text, node.span, variables)
            return ArgumentValue(found.value, node.span, found.characters)
        case CommandCall():
            return ArgumentValue(call(node), node.span)
        case Concatenation(parts):
            pieces = [evaluate(part, variables, call) for part in parts]
            return ArgumentValue("".join(_piece(piece) for piece in pieces), node.span)
    raise TypeError(type(node).__name__)


def _variable(name: str, span: Span, variables: Variables) -> ArgumentValue:
    if name not in variables:
        help_ = (
            _text_argument(name, variables)
            or did_you_mean(name, variables)
            or "assign it above, or put a text in quotes"
        )
        raise Rejected(Diagnostic(UNKNOWN_TARGET, f"the script has no variable `{name}` here", Label(span), help=help_))
    if variables[name].value is BROKEN:
        raise Broken
    return variables[name]


def _text_argument(name: str, variables: Variables) -> str | None:
    """The name as a text: systems and variables of programs are named by texts."""
    for given in variables.values():
        for system in given.value.program.systems if isinstance(given.value, Design) else ():
            if name == system.name or any(name == variable.name for variable in system.variables):
                return f'names of the program stand in quotes: write "{name}"'
    return None


def _piece(given: ArgumentValue) -> str:
    """The text of an operand of `+`: texts and numbers."""
    if isinstance(given.value, str | int | MathValue):
        return text_of(given.value)
    message = "`+` joins texts and numbers"
    raise Rejected(Diagnostic(ARGUMENT, message, Label(given.span, f"this is {described(given.value)}")))
