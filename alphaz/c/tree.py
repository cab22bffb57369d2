"""The C tree, of generated and of read C: types, expressions, statements and files as frozen data.

`printer` turns it into text, `parse` text into it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeAlias

from alphaz.c.value_annotation import ValueAnnotation as ValueAnnotation
from alphaz.model.types import ScalarType


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """The place of a node in a text. `file` is the name in line marks."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Node:
    """`at` does not affect equality: nodes are shared, and generated ones have no place."""

    at: SourcePlace | None = field(default=None, compare=False, repr=False, kw_only=True)


# --- types ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Qualified:
    const: bool = field(default=False, kw_only=True)
    volatile: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Scalar(Qualified):
    """A type of the words of C, in one spelling each: `unsigned long`, `bool`, `void`."""

    name: str


@dataclass(frozen=True, slots=True)
class Named(Qualified):
    """A type that a header or the file defines: `int64_t`."""

    name: str


@dataclass(frozen=True, slots=True)
class Pointer(Qualified):
    to: "Type"
    restrict: bool = False


@dataclass(frozen=True, slots=True)
class Array(Qualified):
    """`restrict` and `static`, like `const`, are those between the brackets of a parameter."""

    of: "Type"
    extent: "Expression | None" = None
    restrict: bool = False
    static: bool = False


@dataclass(frozen=True, slots=True)
class Vector(Qualified):
    """Neighbouring values that operators treat at a time. It may stand wherever its elements may."""

    of: Scalar | Named
    bytes: int


@dataclass(frozen=True, slots=True)
class Record(Qualified):
    """`struct` or `union`; without `fields` it is only named."""

    name: str
    fields: "tuple[Parameter, ...] | None" = None
    word: str = "struct"


@dataclass(frozen=True, slots=True)
class Enumeration(Qualified):
    """Without `constants` it is only named."""

    name: str
    constants: "tuple[tuple[str, Expression | None], ...] | None" = None


@dataclass(frozen=True, slots=True)
class Signature(Qualified):
    """The type of a function."""

    result: "Type"
    parameters: "tuple[Type, ...]" = ()
    variadic: bool = False


Type: TypeAlias = Scalar | Named | Pointer | Array | Vector | Record | Enumeration | Signature

VOID, BOOL, INT, DOUBLE = Scalar("void"), Scalar("bool"), Scalar("int"), Scalar("double")
LONG_LONG, UNSIGNED_LONG_LONG = Scalar("long long"), Scalar("unsigned long long")
INT64 = Named("int64_t")


def scalar(type_: ScalarType, *, const: bool = False) -> Scalar:
    """Returns a type of the language as one of C."""
    return Scalar(type_.c_name, const=const)


def pointer(type_: ScalarType, *, const: bool = False, restrict: bool = False) -> Pointer:
    """Returns the type of a pointer to values, which are `const`."""
    return Pointer(scalar(type_, const=const), restrict)


class AddressSpace(Enum):
    """The memory in which a variable is: on a GPU all but the first."""

    HOST = ""
    GLOBAL = "__device__"
    SHARED = "__shared__"
    REGISTER = "register"
    CONSTANT = "__constant__"


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A number or a character, in C syntax."""

    text: str


ZERO = Literal("0")


@dataclass(frozen=True, slots=True)
class String(Node):
    """A string with its quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """A prefix operator without effect: - + ! ~ & *"""

    operator: str
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Binary(Node):
    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Ternary(Node):
    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`function` is the name, or the expression of a pointer to a function."""

    function: "str | Expression"
    arguments: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`base[index]`."""

    base: "Expression"
    index: "Expression"


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`base->field`, or `base.field`."""

    base: "Expression"
    field: str
    arrow: bool = True


@dataclass(frozen=True, slots=True)
class Cast(Node):
    """A conversion. `is_implicit`: the value as a variable of the type holds it, which C converts to it unasked."""

    type: Type
    operand: "Expression"
    is_implicit: bool = False


@dataclass(frozen=True, slots=True)
class SizeOf(Node):
    of: "Type | Expression"


@dataclass(frozen=True, slots=True)
class Init(Node):
    """`{0, .field = 1, [2] = 3}`: values, each after its designators: fields (texts) and subscripts."""

    values: "tuple[tuple[tuple[str | Expression, ...], Expression], ...]"


@dataclass(frozen=True, slots=True)
class Compound(Node):
    """A compound literal: `(const int64_t[]){N, N}`."""

    type: Type
    init: Init


def compound(type_: Type, *values: "Expression") -> Compound:
    return Compound(type_, Init(tuple(((), value) for value in values)))


@dataclass(frozen=True, slots=True)
class Step(Node):
    """`++x`, or `x++`. Like Set and Comma it has an effect inside an expression."""

    operator: str
    prefix: bool
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Set(Node):
    """An assignment inside an expression."""

    operator: str
    target: "Expression"
    value: "Expression"


@dataclass(frozen=True, slots=True)
class Comma(Node):
    values: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Section(Node):
    """`base[first:count]`, in clauses of directives."""

    base: "Expression"
    first: "Expression | None"
    count: "Expression | None"


Expression: TypeAlias = (
    Literal | String | Name | Unary | Binary | Ternary | Call | Index | Member | Cast | SizeOf | Init | Compound
    | Step | Set | Comma | Section
)  # fmt: skip

# --- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """`type name = value;`, one for each declarator. Without a name it declares a structure or enumeration."""

    type: Type
    name: str
    value: Expression | None = None
    storage: str = ""
    space: AddressSpace = AddressSpace.HOST
    align: Expression | None = None
    about: ValueAnnotation | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Typedef(Node):
    type: Type
    name: str


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`target operator value;`, the operator being =, += and the like. `about` does not affect equality."""

    target: Expression
    value: Expression
    operator: str = "="
    about: ValueAnnotation | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Evaluate(Node):
    """`expression;`. `about` does not affect equality."""

    expression: Expression
    about: ValueAnnotation | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class If(Node):
    condition: Expression
    then: "tuple[Statement, ...]"
    otherwise: "tuple[Statement, ...]" = ()


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for (start; test; steps)`. Generated loops declare one iterator."""

    start: "tuple[Statement, ...]"
    test: Expression | None
    steps: tuple[Expression, ...]
    body: "tuple[Statement, ...]"

    @property
    def iterator(self) -> str:
        """Returns the name of the variable that the loop declares; empty if there is none."""
        return next((one.name for one in self.start if isinstance(one, Declare)), "")


def counted(
    type_: Type,
    iterator: str,
    first: Expression,
    test: Expression,
    step: Expression,
    body: "tuple[Statement, ...]",
) -> For:
    """Returns `for (type iterator = first; test; iterator += step)`."""
    counter = Name(iterator)
    forward = Step("++", False, counter) if step == Literal("1") else Set("+=", counter, step)
    return For(start=(Declare(type_, iterator, first),), test=test, steps=(forward,), body=body)


@dataclass(frozen=True, slots=True)
class While(Node):
    condition: Expression
    body: "tuple[Statement, ...]"


@dataclass(frozen=True, slots=True)
class DoWhile(Node):
    body: "tuple[Statement, ...]"
    condition: Expression


@dataclass(frozen=True, slots=True)
class Block(Node):
    """Statements with a scope of their own."""

    body: "tuple[Statement, ...]"


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """`name(operator: arguments: last)`: `reduction(+:s)`, `schedule(dynamic, 4)`, `aligned(a: 32)`, `nowait`. That of
    `critical (lock)` has no name."""

    name: str
    arguments: tuple[Expression, ...] = ()
    operator: str = ""
    last: Expression | None = None


@dataclass(frozen=True, slots=True)
class Omp(Node):
    """A directive of OpenMP with the statements that it is about; `barrier` and the like have none (None)."""

    directive: str
    clauses: tuple[Clause, ...]
    body: "tuple[Statement, ...] | None"


@dataclass(frozen=True, slots=True)
class Pragma(Node):
    """Another line for the compiler."""

    text: str


@dataclass(frozen=True, slots=True)
class Launch(Node):
    """`kernel<<<grid, block, bytes, stream>>>(arguments);`; grid and block have one to three extents."""

    kernel: str
    grid: tuple[Expression, ...]
    block: tuple[Expression, ...]
    arguments: tuple[Expression, ...]
    bytes: Expression | None = None
    stream: Expression | None = None


@dataclass(frozen=True, slots=True)
class Return(Node):
    value: Expression | None = None


@dataclass(frozen=True, slots=True)
class Break(Node):
    pass


@dataclass(frozen=True, slots=True)
class Continue(Node):
    pass


@dataclass(frozen=True, slots=True)
class Goto(Node):
    label: str


@dataclass(frozen=True, slots=True)
class Label(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Switch(Node):
    """Each case is a value (None: default) and statements, which continue with those of the next."""

    value: Expression
    cases: "tuple[tuple[Expression | None, tuple[Statement, ...]], ...]"


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`#ifdef ..`, `#else`, `#endif` in generated code."""

    test: str
    then: "tuple[Statement, ...]"
    otherwise: "tuple[Statement, ...]" = ()


@dataclass(frozen=True, slots=True)
class Comment(Node):
    """One or more lines."""

    text: str


@dataclass(frozen=True, slots=True)
class Blank(Node):
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Opaque(Node):
    """Verbatim text: includes and helper functions of generated code, `_Static_assert`."""

    text: str


@dataclass(frozen=True, slots=True)
class Unsupported(Node):
    """The whole body of a read function, or a declaration of file scope that declares these `names`, of which the tree
    lacks a part, with the finding."""

    message: str
    remedy: str | None = None
    names: tuple[str, ...] = ()


# --- files ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MemberOf:
    """The member of a structure that a parameter stands for: the parameter of the text, the way to the member, other
    names for it, whether each structure of an array has it, and whether it is a pointer. Without a way, the parameter
    stands for the number to which that of the text points."""

    structure: "Parameter"
    path: tuple[str, ...]
    aliases: tuple[str, ...]
    is_each: bool = False
    is_pointer: bool = False


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """A parameter, or a field of a structure."""

    type: Type
    name: str
    member: MemberOf | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A definition, or a prototype where `body` is None. `qualifiers`: `inline`, `__global__` and the like."""

    type: Type
    name: str
    parameters: tuple[Parameter, ...]
    body: "tuple[Statement, ...] | None" = None
    storage: str = ""
    comment: str = ""
    qualifiers: tuple[str, ...] = ()
    variadic: bool = False


Statement: TypeAlias = (
    Declare | Typedef | Assign | Evaluate | If | For | While | DoWhile | Block | Omp | Pragma
    | Launch | Return | Break | Continue | Goto | Label | Switch | Conditional | Comment | Blank | Opaque | Unsupported
    | Function
)  # fmt: skip
Item: TypeAlias = Function | Declare | Typedef | Omp | Pragma | Comment | Opaque | Unsupported


@dataclass(frozen=True, slots=True)
class File:
    """The items of one file, in order, with an empty line between any two. `includes`: `<math.h>`, with the sign;
    `constants`: those of `#define N 100`, whose names stay in the items."""

    items: tuple[Item, ...]
    includes: tuple[str, ...] = ()
    constants: tuple[tuple[str, str], ...] = ()


# --- walking ----------------------------------------------------------------------------------------------------------


_OPERANDS: dict[type, Callable[[Any], tuple[Expression, ...]]] = {
    Call: lambda call: call.arguments if isinstance(call.function, str) else (call.function, *call.arguments),
    Init: lambda init: tuple(value for _, value in init.values),
    Compound: lambda made: (made.init,),
    Unary: lambda unary: (unary.operand,),
    Cast: lambda cast: (cast.operand,),
    SizeOf: lambda size: () if isinstance(size.of, Type) else (size.of,),
    Binary: lambda binary: (binary.left, binary.right),
    Index: lambda element: (element.base, element.index),
    Ternary: lambda chosen: (chosen.condition, chosen.then, chosen.otherwise),
    Member: lambda member: (member.base,),
    Step: lambda step: (step.operand,),
    Set: lambda assigned: (assigned.target, assigned.value),
    Comma: lambda comma: comma.values,
    Section: lambda part: tuple(one for one in (part.base, part.first, part.count) if one is not None),
}
"""The direct children, by type: a table, since trees are walked often."""


def _parts(statement: Statement) -> tuple[list[Expression], list[Statement]]:
    """Returns the expressions and the statements directly inside."""
    match statement:
        case Declare(value=value) | Return(value):
            return ([value] if value is not None else []), []
        case Assign(target, value):
            return [target, value], []
        case Evaluate(expression):
            return [expression], []
        case If(condition, then, otherwise):
            return [condition], [*then, *otherwise]
        case For(start, test, steps, body):
            return [*([test] if test is not None else []), *steps], [*start, *body]
        case While(condition, body) | DoWhile(body, condition):
            return [condition], list(body)
        case Block(body):
            return [], list(body)
        case Omp(_, clauses, body):
            return [argument for clause in clauses for argument in clause.arguments], list(body or ())
        case Launch(_, grid, block, arguments, bytes_, stream):
            return [*grid, *block, *arguments, *(one for one in (bytes_, stream) if one is not None)], []
        case Switch(value, cases):
            return [value], [s for _, body in cases for s in body]
        case Conditional(_, then, otherwise):
            return [], [*then, *otherwise]
    return [], []


def bare(statements: "Sequence[Statement]") -> "tuple[Statement, ...]":
    """Returns the statements without comments and empty lines."""
    return tuple(_bare(statement) for statement in statements if not isinstance(statement, Comment | Blank))


def _bare(statement: Statement) -> Statement:
    match statement:
        case Function(body=body):
            return replace(statement, comment="", body=None if body is None else bare(body))
        case If(_, then, otherwise) | Conditional(_, then, otherwise):
            return replace(statement, then=bare(then), otherwise=bare(otherwise))
        case Switch(value, cases):
            return Switch(value, tuple((case, bare(inside)) for case, inside in cases), at=statement.at)
        case Omp(_, _, body):
            return replace(statement, body=None if body is None else bare(body))
        case For() | While() | DoWhile() | Block():
            return replace(statement, body=bare(statement.body))
    return statement


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


_CHANGED: dict[type, Callable[[Any, "Callable[[Expression], Expression]"], Expression]] = {
    Call: lambda call, to: Call(
        call.function if isinstance(call.function, str) else to(call.function), tuple(map(to, call.arguments))
    ),
    Init: lambda init, to: Init(tuple((designators, to(value)) for designators, value in init.values)),
    Compound: lambda made, to: replace(made, init=to(made.init)),
    Unary: lambda unary, to: replace(unary, operand=to(unary.operand)),
    Cast: lambda cast, to: replace(cast, operand=to(cast.operand)),
    SizeOf: lambda size, to: size if isinstance(size.of, Type) else SizeOf(to(size.of)),
    Binary: lambda binary, to: Binary(binary.operator, to(binary.left), to(binary.right)),
    Index: lambda element, to: Index(to(element.base), to(element.index)),
    Ternary: lambda chosen, to: Ternary(to(chosen.condition), to(chosen.then), to(chosen.otherwise)),
    Member: lambda member, to: replace(member, base=to(member.base)),
    Step: lambda step, to: replace(step, operand=to(step.operand)),
    Set: lambda assigned, to: Set(assigned.operator, to(assigned.target), to(assigned.value)),
    Comma: lambda comma, to: Comma(tuple(map(to, comma.values))),
}


def with_names(expression: Expression, names: Mapping[str, str]) -> Expression:
    """Returns the expression with names replaced."""
    if isinstance(expression, Name):
        return Name(names.get(expression.name, expression.name))
    changed = _CHANGED.get(type(expression))
    return expression if changed is None else changed(expression, lambda operand: with_names(operand, names))


def names_used(statements: "Sequence[Statement]") -> frozenset[str]:
    """Returns the names that the statements mention in expressions."""
    return frozenset(e.name for e in expressions_in(statements) if isinstance(e, Name))


def functions_called(statements: "Sequence[Statement]") -> frozenset[str]:
    return frozenset(
        e.function for e in expressions_in(statements) if isinstance(e, Call) and isinstance(e.function, str)
    )


def types_used(statements: "Sequence[Statement]") -> frozenset[str]:
    """Returns the names of the types that the statements mention."""
    types: list[Type] = [s.type for s in statements_in(statements) if isinstance(s, Declare)]
    types += [e.type for e in expressions_in(statements) if isinstance(e, Cast | Compound)]
    return frozenset(name for type_ in types for name in _type_names(type_))


def _type_names(type_: Type) -> Iterator[str]:
    match type_:
        case Scalar(name) | Named(name) | Record(name) | Enumeration(name):
            yield name
        case Pointer(inner) | Array(inner) | Vector(inner):
            yield from _type_names(inner)
        case Signature(result, parameters):
            for part in (result, *parameters):
                yield from _type_names(part)
