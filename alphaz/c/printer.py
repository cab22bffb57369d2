"""Prints the C tree as readable text: four spaces, braces always, parentheses where C or readability requires them."""

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap

from alphaz.c.pragmas import is_about_statement
from alphaz.c.tree import (  # fmt: skip
    AddressSpace,
    Array,
    Assign,
    Binary,
    Blank,
    Block,
    Break,
    Call,
    Cast,
    Clause,
    Comma,
    Comment,
    Compound,
    Conditional,
    Continue,
    Declare,
    DoWhile,
    Enumeration,
    Evaluate,
    Expression,
    File,
    For,
    Function,
    Goto,
    If,
    Index,
    Init,
    Item,
    Label,
    Launch,
    Literal,
    Member,
    Name,
    Named,
    Omp,
    Opaque,
    Parameter,
    Pointer,
    Pragma,
    Record,
    Return,
    Scalar,
    Section,
    Set,
    Signature,
    SizeOf,
    Statement,
    Step,
    String,
    Switch,
    Ternary,
    Type,
    Typedef,
    Unary,
    Vector,
    While,
)

WIDTH = 110
_LEAST_ROOM = 40

# C11 6.5, loosest first. `_needs_care` finds easily confused operators (compilers warn about them).
_PRECEDENCE = {
    "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "<": 8, "<=": 8, ">": 8, ">=": 8,
    "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
}  # fmt: skip
_COMMA, _SET, _TERNARY, _UNARY, _POSTFIX = -1, 0, 1, 12, 13
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_BITS = frozenset(("|", "^", "&", "<<", ">>"))


def _precedence(expression: Expression) -> int:
    match expression:
        case Comma():
            return _COMMA
        case Set():
            return _SET
        case Ternary():
            return _TERNARY
        case Binary(operator):
            return _PRECEDENCE[operator]
        case Unary() | Cast() | SizeOf() | Step(_, True):
            return _UNARY
        case Literal(text) if text.startswith("-"):
            return _UNARY
    return _POSTFIX


def expression_text(expression: Expression) -> str:
    """Returns an expression as one line of C, with only the necessary parentheses."""
    match expression:
        case Literal(text) | Name(text) | String(text):
            return text
        case Unary(operator, operand) | Step(operator, True, operand):
            inside = _inside(operand, _UNARY)
            return f"{operator}({inside})" if inside.startswith(operator[0]) else operator + inside
        case Step(operator, _, operand):
            return _inside(operand, _POSTFIX) + operator
        case Cast(type_, operand):
            return f"({type_text(type_)}){_inside(operand, _UNARY)}"
        case Binary(operator, left, right):
            return f"{_operand(operator, left, 0)} {operator} {_operand(operator, right, 1)}"
        case Ternary(condition, then, otherwise):
            return f"{_inside(condition, 2)} ? {_inside(then, 2)} : {_inside(otherwise, _TERNARY)}"
        case Set(operator, target, value):
            return f"{_inside(target, _UNARY)} {operator} {_inside(value, _SET)}"
        case Comma(values):
            return _list(values)
        case SizeOf(of):
            return f"sizeof({type_text(of) if isinstance(of, Type) else expression_text(of)})"
        case _:
            return _postfix_text(expression)


def _postfix_text(expression: Expression) -> str:
    match expression:
        case Call(function, arguments):
            return f"{function if isinstance(function, str) else _inside(function, _POSTFIX)}({_list(arguments)})"
        case Index(base, index):
            return f"{_inside(base, _POSTFIX)}[{expression_text(index)}]"
        case Section(base, first, count):
            parts = ("" if part is None else _inside(part, _TERNARY) for part in (first, count))
            return f"{_inside(base, _POSTFIX)}[{':'.join(parts)}]"
        case Member(base, field, arrow):
            # A point behind a number would belong to it.
            whole = f"({base.text})" if isinstance(base, Literal) else _inside(base, _POSTFIX)
            return f"{whole}{'->' if arrow else '.'}{field}"
        case Compound(type_, init):
            return f"({type_text(type_)}){expression_text(init)}"
        case Init(values):
            return f"{{{', '.join(_designated(*value) for value in values)}}}"
    raise AssertionError(f"no expression: {expression}")


def _list(values: Iterable[Expression]) -> str:
    return ", ".join(_inside(value, _SET) for value in values)


def _designated(designators: tuple[str | Expression, ...], value: Expression) -> str:
    places = (
        f".{designator}" if isinstance(designator, str) else f"[{_inside(designator, _TERNARY)}]"
        for designator in designators
    )
    return f"{''.join(places)} = {_inside(value, _SET)}" if designators else _inside(value, _SET)


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


def declaration(type_: Type, name: str) -> str:
    """Returns a declaration: `int64_t i`, `const float *A`, `double (*x)[3]`; of a type without a name `double *`."""
    front, declarator = _declarator(type_, name)
    return front + declarator if not declarator or declarator.startswith("[") else f"{front} {declarator}"


def type_text(type_: Type) -> str:
    return declaration(type_, "")


def _declarator(type_: Type, name: str) -> tuple[str, str]:
    """Returns the type that several declarations may share, and what each has of its own, around the name."""
    match type_:
        case Pointer(to, restrict):
            words = " ".join(_words(type_, restrict))
            own = f"*{words}{' ' if words and name and not name.startswith('[') else ''}{name}"
            return _declarator(to, f"({own})" if isinstance(to, Array | Signature) else own)
        case Array(of, extent, restrict, is_static):
            inside = [*_words(type_, restrict), *["static"] * is_static, *([_size(extent)] if extent else [])]
            return _declarator(of, f"{name}[{' '.join(inside)}]")
        case Signature(result, parameters, variadic):
            inside = [*map(type_text, parameters), *["..."] * variadic] or ["void"]
            return _declarator(result, f"{name}({', '.join(inside)})")
        case Vector(of, bytes_):
            # The attributes belong to the type: `typedef double double4 __attribute__((vector_size(32), ..))`.
            element = type_text(of)
            attributes = f"vector_size({bytes_}), aligned(sizeof({element})), may_alias"
            return _declarator(of, f"{name} __attribute__(({attributes}))")
    return " ".join((*_words(type_), _type_word(type_))), name


def _size(extent: Expression) -> str:
    return _inside(extent, _SET)


def _words(type_: Type, restrict: bool = False) -> list[str]:
    return ["const"] * type_.const + ["volatile"] * type_.volatile + ["restrict"] * restrict


def _type_word(type_: Type) -> str:
    match type_:
        case Record(name, fields, word):
            inside = "".join(f" {declaration(field.type, field.name)};" for field in fields or ())
            return " ".join(filter(None, (word, name, f"{{{inside} }}" if fields is not None else "")))
        case Enumeration(name, constants):
            values = (n if value is None else f"{n} = {_inside(value, _TERNARY)}" for n, value in constants or ())
            return " ".join(filter(None, ("enum", name, f"{{ {', '.join(values)} }}" if constants else "")))
        case Scalar(name) | Named(name):
            return name
    raise AssertionError(f"no type: {type_}")


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
        case Declare(value=None):
            yield f"{_declared(statement)};"
        case Declare(value=value) if value is not None:
            yield from _fold_expression(f"{_declared(statement)} = ", value, room)
        case Typedef(type_, name):
            yield f"typedef {declaration(type_, name)};"
        case Assign(target, value, operator):
            yield from _fold_expression(f"{expression_text(target)} {operator} ", value, room)
        case Evaluate(expression):
            yield from _wrap_line(f"{expression_text(expression)};", room)
        case Launch():
            yield from _wrap_line(f"{_launch(statement)};", room)
        case _:
            yield from _jump(statement, room)


def _jump(statement: Statement, room: int) -> Iterator[str]:
    match statement:
        case Return(None):
            yield "return;"
        case Return(value) if value is not None:
            yield from _fold_expression("return ", value, room)
        case Break():
            yield "break;"
        case Continue():
            yield "continue;"
        case Goto(label):
            yield f"goto {label};"
        case Label(name):
            yield f"{name}:;"
        case _:
            yield from _trivia(statement, room)


def _trivia(statement: Statement, room: int) -> Iterator[str]:
    match statement:
        case Comment(text):
            yield from comment_lines(text, room)
        case Blank():
            yield ""
        case Opaque(text):
            yield from text.split("\n")
        case Pragma(text):
            yield from _continued(f"#pragma {text}", room)
        case Function():
            yield from function_text(statement).splitlines()
        case _:
            yield from _compound(statement, room)


def _declared(declare: Declare) -> str:
    align = f"_Alignas({expression_text(declare.align)})" if declare.align is not None else ""
    space = declare.space.value if declare.space is not AddressSpace.REGISTER else ""
    return " ".join(filter(None, (declare.storage, space, align, declaration(declare.type, declare.name))))


def _launch(launch: Launch) -> str:
    shape = [_extents(launch.grid), _extents(launch.block)]
    if launch.bytes is not None or launch.stream is not None:
        shape += [_inside(launch.bytes, _SET) if launch.bytes is not None else "0"]
    shape += [_inside(launch.stream, _SET)] if launch.stream is not None else []
    return f"{launch.kernel}<<<{', '.join(shape)}>>>({_list(launch.arguments)})"


def _extents(extents: tuple[Expression, ...]) -> str:
    return _inside(extents[0], _SET) if len(extents) == 1 else f"dim3({_list(extents)})"


def _compound(statement: Statement, room: int) -> Iterator[str]:
    match statement:
        case If():
            yield from _if(statement, room)
        case For():
            yield from _for(statement, room)
        case While(condition, body):
            yield from _body(body, f"while ({expression_text(condition)})", room)
        case DoWhile(body, condition):
            yield from _body(body, "do", room, f"}} while ({expression_text(condition)});")
        case Block(body):
            yield from _body(body, "", room)
        case Omp():
            yield from _omp(statement, room)
        case Conditional(test, then, otherwise):
            yield f"#{test}"
            yield from _lines(then, room)
            if otherwise:
                yield "#else"
                yield from _lines(otherwise, room)
            yield "#endif"
        case Switch(value, cases):
            yield f"switch ({expression_text(value)}) {{"
            for label, inside in cases:
                yield f"case {_inside(label, _TERNARY)}:" if label is not None else "default:"
                yield from _indented(_lines(inside, _deeper(room)))
            yield "}"


def _omp(omp: Omp, room: int) -> Iterator[str]:
    head = " ".join(("#pragma omp", omp.directive, *map(clause_text, omp.clauses)))
    yield from _continued(head, room)
    if omp.body is not None:
        statements = [one for one in omp.body if not isinstance(one, Pragma)]
        is_bare = len(statements) == 1 and is_about_statement(omp.directive)
        yield from _lines(omp.body, room) if is_bare else _body(omp.body, "", room)


def clause_text(clause: Clause) -> str:
    """Returns a clause of a directive: `reduction(+:a, b)`."""
    if not clause.arguments and not clause.operator:
        return clause.name
    inside = f"{clause.operator}:" * bool(clause.operator) + _list(clause.arguments)
    return f"{clause.name}({inside}{'' if clause.last is None else f': {_inside(clause.last, _TERNARY)}'})"


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
    test = "" if statement.test is None else expression_text(statement.test)
    *above, head = _whole_or_folded(room - 2, f"for ({_start(statement)};", f"{test};", f"{_list(statement.steps)})")
    yield from above
    yield from _body(statement.body, head, room)


def _start(loop: For) -> str:
    """Returns the assignments, or the declarations, which share a type."""
    declarators: list[str] = []
    for one in loop.start:
        match one:
            case Declare(type_, name, value) if declarators:
                declarators.append(_declarator(type_, name)[1] + _begun(value))
            case Declare(value=value):
                declarators.append(_declared(one) + _begun(value))
            case Assign(target, value, operator):
                declarators.append(expression_text(Set(operator, target, value)))
            case Evaluate(expression):
                declarators.append(_inside(expression, _SET))
    return ", ".join(declarators)


def _begun(value: Expression | None) -> str:
    return "" if value is None else f" = {_inside(value, _SET)}"


def _whole_or_folded(room: int, *parts: str) -> Iterator[str]:
    """Yields one line if it is short, else a line for each part, aligned after the first parenthesis."""
    whole = " ".join(parts)
    if len(whole) <= min(WIDTH - 16, room):
        yield whole
        return
    indent = " " * (parts[0].index("(") + 1)
    for position, part in enumerate(parts):
        first, *more = _wrap_line(part, room - len(indent))
        yield f"{indent if position else ''}{first}"
        yield from (indent + line for line in more)


def _fold_expression(head: str, value: Expression, room: int) -> Iterator[str]:
    """Yields a line for each choice of a long conditional chain; other long lines are broken before operators."""
    text = _inside(value, _SET)
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
    yield from _wrap_line(f"    : {_inside(rest, _TERNARY)};", room)


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
        places = [space.start() for space in _BREAK.finditer(line) if _may_break(line[: space.start()])]
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
    return bool(before.strip()) and before.replace('\\"', "").replace("'\"'", "").count('"') % 2 == 0


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
    for position, line in enumerate(cut):
        yield f"{'/*' if position == 0 else ' *'} {line}".rstrip()
    yield " */"


def _cut(line: str, room: int) -> list[str]:
    if len(line) <= room:
        return [line]
    deep = line[: len(line) - len(line.lstrip())] + "    "
    return wrap(line, room, subsequent_indent=deep, break_long_words=False, break_on_hyphens=False)


# --- files ------------------------------------------------------------------------------------------------------------


def signature(function: Function) -> str:
    """Returns `int f(int64_t N, const float *A)`, folded if it is long."""
    words = (*filter(None, (function.storage,)), *function.qualifiers)
    front, name = _declarator(function.type, "\1")
    before, _, after = " ".join((*words, front, name)).partition("\1")
    parameters = [*map(_parameter, function.parameters), *["..."] * function.variadic] or ["void"]
    line = f"{before}{function.name}({', '.join(parameters)}){after}"
    if len(line) + (function.body is None) <= WIDTH:
        return line
    folded = wrap(", ".join(p.replace(" ", "\0") for p in parameters), WIDTH - 5, break_long_words=False)
    return f"{before}{function.name}(\n    " + "\n    ".join(folded).replace("\0", " ") + f"){after}"


def _parameter(parameter: Parameter) -> str:
    return declaration(parameter.type, parameter.name)


def function_text(function: Function) -> str:
    """Returns a definition or a prototype, after its comment."""
    comment = "".join(f"{line}\n" for line in comment_lines(function.comment)) if function.comment else ""
    if function.body is None:
        return f"{comment}{signature(function)};\n"
    return f"{comment}{signature(function)}\n{{\n{statements_text(function.body, 1)}}}\n"


def file_text(file: File) -> str:
    """Returns the text of the file."""
    head = "".join(f"#include {name}\n" for name in file.includes)
    head += "".join(f"#define {name} {value}\n" for name, value in file.constants)
    return "\n".join(filter(None, (head, *map(_item, file.items))))


def _item(item: Item) -> str:
    if isinstance(item, Opaque):
        return item.text.rstrip("\n") + "\n"
    return function_text(item) if isinstance(item, Function) else statements_text((item,))


__all__ = [
    "WIDTH",
    "clause_text",
    "comment_lines",
    "declaration",
    "expression_text",
    "file_text",
    "fitting",
    "function_text",
    "signature",
    "statements_text",
    "type_text",
]
