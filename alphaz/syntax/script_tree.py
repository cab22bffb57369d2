"""The syntax tree of a command script (`grammar/script.lark`), and its text: a line for each statement."""

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


_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def print_script(tree: ScriptText) -> str:
    """Returns the whole script; empty without statements."""
    return "".join(_statement(statement) + "\n" for statement in tree.statements)


def _statement(statement: ScriptStatement) -> str:
    target = "" if statement.target is None else f"{statement.target.text} = "
    return f"{target}{_expression(statement.value)};"


def _expression(root: ScriptExpression) -> str:
    """The text of an expression, with an explicit stack for nested calls: texts and expressions to be written, the next
    one last."""
    texts: list[str] = []
    pending: list[ScriptExpression | str] = [root]
    while pending:
        part = pending.pop()
        match part:
            case str():
                texts.append(part)
            case TextLiteral(value):
                texts.append(f'"{value.translate(_ESCAPED)}"')
            case NumberLiteral(number):
                texts.append(str(number))
            case VariableUse(name):
                texts.append(name.text)
            case CommandCall(name, arguments):
                pending += [")", *reversed(_join_parts(arguments, ", ")), f"{name.text}("]
            case Concatenation(parts):
                pending += reversed(_join_parts(parts, " + "))
    return "".join(texts)


def _join_parts(parts: tuple[ScriptExpression, ...], separator: str) -> list[ScriptExpression | str]:
    joined: list[ScriptExpression | str] = []
    for part in parts:
        joined += [part, separator]
    return joined[:-1]
