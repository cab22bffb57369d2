"""A small C tree: the part of C11 that is generated. Plain data; `printer` turns it into text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from alphaz.loops.modes import SEQUENTIAL, Mode
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.piece import Floor

# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a string or a character, in C syntax."""

    text: str


ZERO = Literal("0")


@dataclass(frozen=True, slots=True)
class Name:
    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    """A prefix operator: - ! & *"""

    operator: str
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Ternary:
    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    arguments: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Index:
    """`base[index]`."""

    base: "Expression"
    index: "Expression"


@dataclass(frozen=True, slots=True)
class Member:
    """`base->field`."""

    base: "Expression"
    field: str


@dataclass(frozen=True, slots=True)
class Cast:
    type: str
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Initializer:
    """A compound literal: `(const int64_t[]){N, N}`."""

    type: str
    values: "tuple[Expression, ...]"


Expression: TypeAlias = Literal | Name | Unary | Binary | Ternary | Call | Index | Member | Cast | Initializer

# --- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class About:
    """The value of the equations that an assignment computes, over the names of C and of `floors`: that of `variable`
    at `point`; to a sum it adds the term at the point `body` of the reduction. Or (`is_call`) it makes the call of a
    use equation of this label, at this point of its extension domain. It is not part of the text."""

    variable: str
    point: tuple[Affine, ...]
    body: tuple[Affine, ...] = ()
    floors: tuple[Floor, ...] = ()
    is_call: bool = False

    @property
    def names(self) -> frozenset[str]:
        said = (*self.point, *self.body, *(floor.affine for floor in self.floors))
        return frozenset(name for each in said for name in each.names)

    @property
    def whole(self) -> "About":
        """Returns the same for an assignment that adds no term of the equations itself."""
        return About(self.variable, self.point, floors=self.floors)

    def substitute(self, values: Mapping[str, Affine], more: tuple[Floor, ...] = ()) -> "About":
        """Returns it with names replaced by values; these may use `more` floors."""
        point, body = (tuple(each.substitute(values) for each in part) for part in (self.point, self.body))
        floors = (Floor(floor.name, floor.affine.substitute(values), floor.denominator) for floor in self.floors)
        return replace(self, point=point, body=body, floors=tuple(dict.fromkeys((*more, *floors))))


@dataclass(frozen=True, slots=True)
class Declare:
    """`type name = value;`. A type that ends in `*` is written against the name. With `extents`: an array."""

    type: str
    name: str
    value: Expression | None = None
    extents: tuple[int, ...] = ()
    about: About | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Assign:
    """`target operator value;`, the operator being =, += and the like. `about` does not affect equality."""

    target: Expression
    value: Expression
    operator: str = "="
    about: About | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Evaluate:
    """`expression;`."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: "tuple[Statement, ...]"
    otherwise: "tuple[Statement, ...]" = ()


@dataclass(frozen=True, slots=True)
class For:
    """`for (type iterator = first; condition; iterator += step)`; a target prints its mode."""

    type: str
    iterator: str
    first: Expression
    condition: Expression
    step: Expression
    body: "tuple[Statement, ...]"
    mode: Mode = SEQUENTIAL


@dataclass(frozen=True, slots=True)
class While:
    condition: Expression
    body: "tuple[Statement, ...]"


@dataclass(frozen=True, slots=True)
class Block:
    """Statements with a scope of their own."""

    body: "tuple[Statement, ...]"


@dataclass(frozen=True, slots=True)
class Region:
    """Statements that every thread executes, except that loops inside may share their iterations."""

    body: "tuple[Statement, ...]"


@dataclass(frozen=True, slots=True)
class Critical:
    """Statements that one thread executes at a time."""

    body: "tuple[Statement, ...]"


@dataclass(frozen=True, slots=True)
class Directive:
    """A line for the compiler, about the next statement."""

    text: str


@dataclass(frozen=True, slots=True)
class Return:
    value: Expression | None = None


@dataclass(frozen=True, slots=True)
class Goto:
    label: str


@dataclass(frozen=True, slots=True)
class Label:
    name: str


@dataclass(frozen=True, slots=True)
class Switch:
    """Each case is a label (None: default) and statements that end in a jump or get a `break`."""

    value: Expression
    cases: "tuple[tuple[str | None, tuple[Statement, ...]], ...]"


@dataclass(frozen=True, slots=True)
class Comment:
    """One or more lines."""

    text: str


@dataclass(frozen=True, slots=True)
class Blank:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Raw:
    """A verbatim statement: `continue;`."""

    text: str


Statement: TypeAlias = (
    Declare | Assign | Evaluate | If | For | While | Block | Region | Critical | Directive
    | Return | Goto | Label | Switch | Comment | Blank | Raw
)  # fmt: skip

# --- files ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    type: str
    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A definition, or a prototype where `body` is None. `specifiers` is `static`, `static inline` or empty."""

    type: str
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...] | None = None
    specifiers: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Top-level text: includes, types, helper functions."""

    text: str


@dataclass(frozen=True, slots=True)
class File:
    """The items of one file, in order, with an empty line between any two."""

    items: tuple[Function | Text, ...]


# --- walking ----------------------------------------------------------------------------------------------------------


_OPERANDS: dict[type, Callable[[Any], tuple[Expression, ...]]] = {
    Call: lambda call: call.arguments,
    Initializer: lambda made: made.values,
    Unary: lambda unary: (unary.operand,),
    Cast: lambda cast: (cast.operand,),
    Binary: lambda binary: (binary.left, binary.right),
    Index: lambda element: (element.base, element.index),
    Ternary: lambda chosen: (chosen.condition, chosen.then, chosen.otherwise),
    Member: lambda member: (member.base,),
}
"""The direct children, by type: a table, since trees are walked often."""


def _parts(statement: Statement) -> tuple[list[Expression], list[Statement]]:
    """Returns the expressions and the statements directly inside."""
    match statement:
        case Declare(_, _, value, _) | Return(value):
            return ([value] if value is not None else []), []
        case Assign(target, value, _):
            return [target, value], []
        case Evaluate(expression):
            return [expression], []
        case If(condition, then, otherwise):
            return [condition], [*then, *otherwise]
        case For(_, _, first, condition, step, body, _):
            return [first, condition, step], list(body)
        case While(condition, body):
            return [condition], list(body)
        case Block(body) | Region(body) | Critical(body):
            return [], list(body)
        case Switch(value, cases):
            return [value], [s for _, body in cases for s in body]
    return [], []


def statements_in(statements: "Sequence[Statement]") -> Iterator[Statement]:
    """Yields every statement, and those inside it."""
    waiting: list[Statement] = list(statements)
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(_parts(here)[1])


def expressions_in(statements: "Sequence[Statement]") -> Iterator[Expression]:
    """Yields every expression and subexpression of the statements."""
    for statement in statements_in(statements):
        for expression in _parts(statement)[0]:
            yield from subexpressions(expression)


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """Yields the expression and everything inside it."""
    waiting = [expression]
    while waiting:
        here = waiting.pop()
        yield here
        inside = _OPERANDS.get(type(here))
        if inside is not None:
            waiting.extend(inside(here))


def with_names(expression: Expression, names: Mapping[str, str]) -> Expression:
    """Returns the expression with names replaced."""
    match expression:
        case Name(name):
            return Name(names.get(name, name))
        case Call(function, arguments):
            return Call(function, tuple(with_names(argument, names) for argument in arguments))
        case Initializer(type_, values):
            return Initializer(type_, tuple(with_names(value, names) for value in values))
        case Unary(operator, operand):
            return Unary(operator, with_names(operand, names))
        case Cast(type_, operand):
            return Cast(type_, with_names(operand, names))
        case Binary(operator, left, right):
            return Binary(operator, with_names(left, names), with_names(right, names))
        case Index(base, index):
            return Index(with_names(base, names), with_names(index, names))
        case Ternary(condition, then, otherwise):
            return Ternary(*(with_names(each, names) for each in (condition, then, otherwise)))
        case Member(base, field):
            return Member(with_names(base, names), field)
    return expression


def names_used(statements: "Sequence[Statement]") -> frozenset[str]:
    """Returns the names that the statements mention in expressions."""
    return frozenset(e.name for e in expressions_in(statements) if isinstance(e, Name))


def functions_called(statements: "Sequence[Statement]") -> frozenset[str]:
    return frozenset(e.function for e in expressions_in(statements) if isinstance(e, Call))


def types_used(statements: "Sequence[Statement]") -> frozenset[str]:
    """Returns the names of the types that the statements mention, without qualifiers of pointers."""
    said = [s.type for s in statements_in(statements) if isinstance(s, Declare)]
    said += [e.type for e in expressions_in(statements) if isinstance(e, Cast | Initializer)]
    return frozenset(word for each in said for word in each.replace("*", " ").split())
