"""The syntax tree of a command script (`grammar/script.lark`): `[target =] expression;` in order, no control flow."""

from dataclasses import dataclass

from alphaz.syntax.tree import Name, Node


@dataclass(frozen=True, slots=True)
class ScriptExpression(Node):
    """Any expression with a value."""


@dataclass(frozen=True, slots=True)
class TextLiteral(ScriptExpression):
    """A string; `value` is without quotes and escapes."""

    value: str


@dataclass(frozen=True, slots=True)
class NumberLiteral(ScriptExpression):
    value: int


@dataclass(frozen=True, slots=True)
class VariableUse(ScriptExpression):
    name: Name


@dataclass(frozen=True, slots=True)
class CommandCall(ScriptExpression):
    name: Name
    arguments: tuple[ScriptExpression, ...]


@dataclass(frozen=True, slots=True)
class Concatenation(ScriptExpression):
    """`a + b + ...`, at least two parts."""

    parts: tuple[ScriptExpression, ...]


@dataclass(frozen=True, slots=True)
class ScriptStatement(Node):
    """`target = value;` or `value;`."""

    target: Name | None
    value: ScriptExpression


@dataclass(frozen=True, slots=True)
class ScriptText(Node):
    """A whole script."""

    statements: tuple[ScriptStatement, ...]
