"""Prints the C tree as readable text: four spaces, braces always, parentheses where C or readability requires them."""

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap

from alphaz.c.tree import (  # fmt: skip
    Assign,
    Binary,
    Blank,
    Block,
    Call,
    Cast,
    Comment,
    Declare,
    Directive,
    Evaluate,
    Expression,
    File,
    For,
    Function,
    Goto,
    If,
    Index,
    Initializer,
    Label,
    Literal,
    Member,
    Name,
    Raw,
    Return,
    Statement,
    Switch,
    Ternary,
    Text,
    Unary,
    While,
)

WIDTH = 110
_LEAST_ROOM = 40

# C11 6.5, loosest first. `_needs_care` finds easily confused operators (compilers warn about them).
_PRECEDENCE = {
    "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "<": 8, "<=": 8, ">": 8, ">=": 8,
    "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
}  # fmt: skip
_TERNARY, _UNARY, _POSTFIX = 1, 12, 13
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_BITS = frozenset(("|", "^", "&", "<<", ">>"))


def _precedence(expression: Expression) -> int:
    match expression:
        case Ternary():
            return _TERNARY
        case Binary(operator):
            return _PRECEDENCE[operator]
        case Unary() | Cast():
            return _UNARY
        case Literal(text) if text.startswith("-"):
            return _UNARY
    return _POSTFIX


def expression_text(expression: Expression) -> str:
    """Returns an expression as one line of C, with only the necessary parentheses."""
    match expression:
        case Literal(text) | Name(text):
            return text
        case Unary(operator, operand):
            inside = _inside(operand, _UNARY)
            return f"{operator}({inside})" if inside.startswith(operator) else operator + inside
        case Cast(type_, operand):
            return f"({type_}){_inside(operand, _UNARY)}"
        case Binary(operator, left, right):
            return f"{_operand(operator, left, 0)} {operator} {_operand(operator, right, 1)}"
        case Ternary(condition, then, otherwise):
            return f"{_inside(condition, 2)} ? {_inside(then, 2)} : {expression_text(otherwise)}"
        case Call(function, arguments):
            return f"{function}({', '.join(map(expression_text, arguments))})"
        case Index(base, index):
            return f"{_inside(base, _POSTFIX)}[{expression_text(index)}]"
        case Initializer(type_, values):
            return f"({type_}){{{', '.join(map(expression_text, values))}}}"
        case Member(base, field):
            return f"{_inside(base, _POSTFIX)}->{field}"


def _inside(expression: Expression, least: int) -> str:
    text = expression_text(expression)
    return f"({text})" if _precedence(expression) < least else text


def _operand(operator: str, expression: Expression, side: int) -> str:
    if isinstance(expression, Binary) and _needs_care(operator, expression.operator):
        return f"({expression_text(expression)})"
    if operator in _COMPARISONS and side == 0 and isinstance(expression, Unary) and expression.operator == "!":
        # A reader, or a compiler, may take the negation for that of the comparison.
        return f"({expression_text(expression)})"
    return _inside(expression, _PRECEDENCE[operator] + side)


def _needs_care(outer: str, inner: str) -> bool:
    if outer in _BITS:
        return inner != outer or outer in ("<<", ">>")
    return (outer == "||" and inner == "&&") or (outer in _COMPARISONS and inner in _COMPARISONS | _BITS)


# --- statements -------------------------------------------------------------------------------------------------------


def declaration(type_: str, name: str) -> str:
    """Returns a declarator: `int64_t i`, `const float *A`."""
    return type_ + name if type_.endswith("*") else f"{type_} {name}"


def statements_text(statements: Iterable[Statement], depth: int = 0) -> str:
    """Returns the statements, each on its own indented lines; lines longer than WIDTH are broken where possible."""
    return "".join(f"{line}\n" for line in _indented(_lines(statements, WIDTH - 4 * depth), depth))


def _indented(lines: Iterable[str], depth: int = 1) -> Iterator[str]:
    for line in lines:
        yield "    " * depth + line if line and not line.startswith(_AT_THE_MARGIN) else line


_AT_THE_MARGIN = ("#if", "#else", "#endif")


def _deeper(room: int) -> int:
    """Returns the width of an inner line; in very deep nests lines exceed the limit."""
    return max(room - 4, _LEAST_ROOM)


def _lines(statements: Iterable[Statement], room: int) -> Iterator[str]:
    for statement in statements:
        yield from _statement(statement, room)


def _body(statements: Iterable[Statement], opening: str, room: int, closing: str = "}") -> Iterator[str]:
    yield f"{opening} {{" if opening else "{"
    yield from _indented(_lines(statements, _deeper(room)))
    yield closing


def _statement(statement: Statement, room: int) -> Iterator[str]:
    match statement:
        case Declare(type_, name, None, extents):
            yield f"{declaration(type_, name)}{''.join(f'[{extent}]' for extent in extents)};"
        case Declare(type_, name, value) if value is not None:
            yield from _fold_expression(f"{declaration(type_, name)} = ", value, room)
        case Assign(target, value, operator):
            yield from _fold_expression(f"{expression_text(target)} {operator} ", value, room)
        case Evaluate(expression):
            yield from _wrap_line(f"{expression_text(expression)};", room)
        case Return(None):
            yield "return;"
        case Return(value) if value is not None:
            yield from _fold_expression("return ", value, room)
        case Goto(label):
            yield f"goto {label};"
        case Comment(text):
            yield from comment_lines(text, room)
        case Blank():
            yield ""
        case Raw(text):
            yield from text.split("\n")
        case Label(name):
            yield f"{name}:;"
        case _:
            yield from _compound(statement, room)


def _compound(statement: Statement, room: int) -> Iterator[str]:
    match statement:
        case If():
            yield from _if(statement, room)
        case For():
            yield from _for(statement, room)
        case While(condition, body):
            yield from _body(body, f"while ({expression_text(condition)})", room)
        case Block(body):
            yield from _body(body, "", room)
        case Directive(text):
            yield from _continued(text, room)
        case Switch(value, cases):
            yield f"switch ({expression_text(value)}) {{"
            for label, inside in cases:
                yield f"case {label}:" if label is not None else "default:"
                yield from _indented(_lines(inside, _deeper(room)))
            yield "}"


def _if(statement: If, room: int) -> Iterator[str]:
    *above, head = _wrap_line(f"if ({expression_text(statement.condition)})", room - 9)
    yield from above
    if not statement.otherwise:
        yield from _body(statement.then, head, room)
        return
    match statement.otherwise:
        case (If() as chained,):
            first, *rest = list(_if(chained, room))
            yield from _body(statement.then, head, room, f"}} else {first}")
            yield from rest
        case otherwise:
            yield from _body(statement.then, head, room, "} else {")
            yield from _indented(_lines(otherwise, _deeper(room)))
            yield "}"


def _for(statement: For, room: int) -> Iterator[str]:
    iterator = statement.iterator
    step = f"{iterator}++" if statement.step == Literal("1") else f"{iterator} += {expression_text(statement.step)}"
    start = f"{declaration(statement.type, iterator)} = {expression_text(statement.first)}"
    condition = expression_text(statement.condition)
    *above, head = _whole_or_folded(room - 2, f"for ({start};", f"{condition};", f"{step})")
    yield from above
    yield from _body(statement.body, head, room)


def _whole_or_folded(room: int, *parts: str) -> Iterator[str]:
    """Yields one line if it is short, else a line for each part, aligned after the first parenthesis."""
    whole = " ".join(parts)
    if len(whole) <= min(WIDTH - 16, room):
        yield whole
        return
    indent = " " * (parts[0].index("(") + 1)
    for at, part in enumerate(parts):
        first, *more = _wrap_line(part, room - len(indent))
        yield f"{indent if at else ''}{first}"
        yield from (indent + line for line in more)


def _fold_expression(head: str, value: Expression, room: int) -> Iterator[str]:
    """Yields a line for each choice of a long conditional chain; other long lines are broken before operators."""
    text = expression_text(value)
    if len(head) + len(text) < min(WIDTH - 15, room):
        yield f"{head}{text};"
        return
    if not isinstance(value, Ternary):
        yield from _wrap_line(f"{head}{text};", room)
        return
    choices: list[str] = []
    rest: Expression = value
    while isinstance(rest, Ternary):
        choices.append(f"{_inside(rest.condition, 2)} ? {_inside(rest.then, 2)}")
        rest = rest.otherwise
    yield from _wrap_line(f"{head}{choices[0]}", room)
    for choice in choices[1:]:
        yield from _wrap_line(f"    : {choice}", room)
    yield from _wrap_line(f"    : {expression_text(rest)};", room)


def _continued(text: str, room: int) -> Iterator[str]:
    """Yields a directive on several lines, with continuation marks."""
    *lines, last = _cut(text, room - 2)
    yield from (f"{line} \\" for line in lines)
    yield last


# Where a line may break: after a comma, or before an operator.
_BREAK = re.compile(r"(?<=, )|(?<= )(?=(?:[-+*/%<>=&|!?:]|&&|\|\||[<>=!]=) )")


# The loosest operator is broken first.
_BINDING = {"?": 1, ":": 1, "|": 2, "&": 3, "=": 4, "!": 4, "<": 4, ">": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6}


def _wrap_line(line: str, room: int) -> Iterator[str]:
    """Yields the line in pieces, broken outside parentheses rather than inside, at the loosest operator."""
    indent = ""
    while len(line) > (limit := max(min(WIDTH - 16, room) - len(indent), 24)):
        places = [found.start() for found in _BREAK.finditer(line) if _may_break(line[: found.start()])]
        near = [place for place in places if place <= limit] or places[:1]
        if not near:
            break
        at = min(near, key=lambda p: (_depth(line, p), p < limit // 3, _binding(line, p), -p))
        yield indent + line[:at].rstrip()
        line, indent = line[at:], "    "
    yield indent + line


def fitting(line: str, room: int = WIDTH) -> Iterator[str]:
    """Yields a line of C, in pieces if it is longer than `room`."""
    return iter((line,)) if len(line) <= room else _wrap_line(line, room)


def _binding(line: str, place: int) -> int:
    return 0 if line[:place].endswith((", ", "; ")) else _BINDING.get(line[place], 0)


def _may_break(before: str) -> bool:
    """Returns True if the line may be broken after this text: not before certain tokens, and not inside a string."""
    return bool(before.strip()) and before.replace('\\"', "").count('"') % 2 == 0


def _depth(line: str, place: int) -> int:
    """Returns the number of open parentheses at this position."""
    before = line[:place]
    return sum(before.count(c) for c in "([{") - sum(before.count(c) for c in ")]}")


def comment_lines(text: str, room: int = WIDTH) -> Iterator[str]:
    """Yields `/* one line */`, or a block, wrapped at words where lines are long; the text cannot end the comment."""
    safe = text.replace("*/", "* /").replace("/*", "/ *").replace("\\\n", "\\ \n").replace("??/", "? ?/")
    lines = safe.splitlines() or [""]
    if len(lines) == 1 and len(lines[0]) <= room - 6:
        yield f"/* {lines[0]} */"
        return
    cut = [part for line in lines for part in _cut(line, max(room - 3, 24))]
    for at, line in enumerate(cut):
        yield f"{'/*' if at == 0 else ' *'} {line}".rstrip()
    yield " */"


def _cut(line: str, room: int) -> list[str]:
    if len(line) <= room:
        return [line]
    deep = line[: len(line) - len(line.lstrip())] + "    "
    return wrap(line, room, subsequent_indent=deep, break_long_words=False, break_on_hyphens=False)


# --- files ------------------------------------------------------------------------------------------------------------


def signature(function: Function) -> str:
    """Returns `int f(int64_t N, const float *A)`, folded if it is long."""
    head = " ".join(filter(None, (function.specifiers, declaration(function.type, function.name))))
    parameters = [declaration(p.type, p.name) for p in function.parameters] or ["void"]
    line = f"{head}({', '.join(parameters)})"
    if len(line) + (function.body is None) <= WIDTH:
        return line
    folded = wrap(", ".join(p.replace(" ", "\0") for p in parameters), WIDTH - 5, break_long_words=False)
    return f"{head}(\n    " + "\n    ".join(folded).replace("\0", " ") + ")"


def function_text(function: Function) -> str:
    """Returns a definition or a prototype, after its comment."""
    comment = "".join(f"{line}\n" for line in comment_lines(function.comment)) if function.comment else ""
    if function.body is None:
        return f"{comment}{signature(function)};\n"
    return f"{comment}{signature(function)}\n{{\n{statements_text(function.body, 1)}}}\n"


def file_text(file: File) -> str:
    """Returns the text of the file."""
    return "\n".join(i.text.rstrip("\n") + "\n" if isinstance(i, Text) else function_text(i) for i in file.items)


__all__ = [
    "WIDTH",
    "comment_lines",
    "declaration",
    "expression_text",
    "file_text",
    "fitting",
    "function_text",
    "signature",
    "statements_text",
]
