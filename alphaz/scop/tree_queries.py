"""Queries of a C tree: its declarations, its changes, its types, its integers, its assigned names."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TypeGuard

from alphaz.c import tree as c
from alphaz.c.printer import clause_text
from alphaz.c.walk import Part, children, nodes
from alphaz.model.types import DOUBLE, FLOAT, SCALAR_TYPES, ScalarType
from alphaz.scop.intrinsics import INTEGERS, TYPES

Statements = tuple[c.Statement, ...]
Trees = Part | Iterable[Part] | None
"""One tree, or several."""
CLAUSES_WITHOUT_DATA = frozenset({"shared", "default", "num_threads", "if", "proc_bind"})
"""The clauses of a parallel region that give its threads no variables of their own."""

_WIDTHS = (("SCHAR", 8), ("SHRT", 16), ("INT", 32), ("LONG", 64), ("LLONG", 64))
LIMITS = {
    **{f"{name}_MAX": 2 ** (bits - 1) - 1 for name, bits in _WIDTHS},
    **{f"{name}_MIN": -(2 ** (bits - 1)) for name, bits in _WIDTHS},
    **{f"U{name.removeprefix('S') if bits == 8 else name}_MAX": 2**bits - 1 for name, bits in _WIDTHS},
}
FLOAT_LIMITS = {
    "FLT_MAX": (Fraction(2**24 - 1) * 2**104, FLOAT),
    "DBL_MAX": (Fraction(2**53 - 1) * 2**971, DOUBLE),
    "FLT_MIN": (Fraction(1, 2**126), FLOAT),
    "DBL_MIN": (Fraction(1, 2**1022), DOUBLE),
    "FLT_EPSILON": (Fraction(1, 2**23), FLOAT),
    "DBL_EPSILON": (Fraction(1, 2**52), DOUBLE),
}
"""Constants of `float.h`, with their types."""
_INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]*")

# --- types ------------------------------------------------------------------------------------------------------------


def type_text(type_: c.Type) -> str:
    """Returns the name of a type that has one; empty for pointers, arrays, structures."""
    return type_.name if isinstance(type_, c.Scalar | c.Named) else ""


def is_of_header(type_: c.Type) -> bool:
    """Returns True if a header defines the vector type: pointers to it are aligned to the whole vector."""
    return type_text(type_) in TYPES


def has_unknown_element_type(type_: c.Type) -> bool:
    """Returns True if a vector type does not determine its element type."""
    return type_text(type_) in INTEGERS


def scalar_type(type_: c.Type | None) -> ScalarType | None:
    """Returns the scalar type; None for other types, and for those that are volatile."""
    if not isinstance(type_, c.Scalar | c.Named) or type_.volatile:
        return None
    return named_type(tuple(type_.name.split()))


SIZED_TYPES = {"int8_t": "char", "int16_t": "short", "int32_t": "int", "int64_t": "long"}
OTHER_TYPES = {
    "size_t": "unsigned long",
    "ptrdiff_t": "long",
    "intptr_t": "long",
    "bool": "bool",
    "_Bool": "bool",
    "cudaStream_t": "unsigned long",
}


def named_type(words: tuple[str, ...]) -> ScalarType | None:
    if len(words) == 1:
        word = words[0]
        if word.startswith("u") and word[1:] in SIZED_TYPES:
            return SCALAR_TYPES["unsigned " + SIZED_TYPES[word[1:]]]
        words = tuple((SIZED_TYPES.get(word) or OTHER_TYPES.get(word) or word).split())
    is_unsigned = "unsigned" in words
    rest = sorted(w for w in words if w not in ("signed", "unsigned"))
    if "int" in rest and len(rest) > 1:
        rest.remove("int")
    name = {"": "int", "long long": "longlong"}.get(" ".join(rest), " ".join(rest))
    return SCALAR_TYPES.get(f"unsigned {name}" if is_unsigned else name)


def is_simple(type_: c.Type) -> bool:
    """Returns True for a type that is no pointer, array or function."""
    return not isinstance(type_, c.Pointer | c.Array | c.Signature)


def is_constant(type_: c.Type) -> bool:
    """Returns True for the type of an argument that a function cannot change: a value, or a pointer to constants."""
    return is_simple(type_) or base(type_).const


def base(type_: c.Type) -> c.Type:
    """Returns the type of the elements of pointers and arrays."""
    while isinstance(type_, c.Pointer | c.Array):
        type_ = type_.to if isinstance(type_, c.Pointer) else type_.of
    return type_


def element_type(type_: c.Type) -> ScalarType | None:
    """Returns the scalar type of the elements of pointers and arrays; None for elements of other types."""
    return scalar_type(base(type_))


def is_wide_integer(type_: ScalarType | None) -> TypeGuard[ScalarType]:
    """Returns True for an integer of at least 32 bits."""
    return type_ is not None and type_.kind == "int" and type_.bits >= 32


def is_as_wide_as_sizes(type_: c.Type) -> bool:
    """Returns True for integers of the 64 bits of `size_t`: a conversion to them keeps a number of elements."""
    scalar = scalar_type(type_)
    return is_wide_integer(scalar) and scalar.bits == 64


def is_index_type(type_: ScalarType | None) -> TypeGuard[ScalarType]:
    """Returns True if integers of this type are indices: signed, and of at least 32 bits."""
    return is_wide_integer(type_) and type_.signed


def is_void(type_: c.Type) -> bool:
    return isinstance(type_, c.Scalar) and type_.name == "void"


# --- files and functions ----------------------------------------------------------------------------------------------


def definitions(tree: c.File) -> dict[str, c.Function]:
    """Returns the functions that a file defines, by name."""
    return {item.name: item for item in tree.items if isinstance(item, c.Function) and item.body is not None}


def names_of_item(item: c.Item) -> Iterator[str]:
    """Yields the names that an item of a file declares: functions, variables, types, constants of enumerations."""
    if isinstance(item, c.Function | c.Declare | c.Typedef):
        yield item.name
        if not isinstance(item, c.Function):
            yield from (name for node in nodes(item, c.Enumeration) for name, _ in node.constants or ())


def body_of(function: c.Function) -> Statements:
    """Returns the statements of a function; none of a prototype."""
    return function.body or ()


def last_statement(function: c.Function) -> c.Statement | None:
    return next(reversed(body_of(function)), None)


def writes_elsewhere(definition: c.Function) -> bool:
    """Returns True if a function assigns to an object other than its own variables."""
    declared = nodes(definition.body, c.Declare)
    own = {node.name for node in declared if {"static", "extern"}.isdisjoint(node.storage.split())}
    parameters = {parameter.name for parameter in definition.parameters}
    arrays = own - parameters - {node.name for node in declared if not _holds_numbers(node.type)}
    return any(
        _object_of(target) not in (own | parameters if isinstance(target, c.Name) else arrays)
        for target in targets(definition.body)
    )


def _holds_numbers(type_: c.Type) -> bool:
    """Returns True for arrays of numbers, as opposed to pointers."""
    is_array = isinstance(type_, c.Array)
    while isinstance(type_, c.Array):
        type_ = type_.of
    return is_array and scalar_type(type_) is not None


def _object_of(target: c.Expression) -> str:
    """Returns the variable that an assignment is to, or to an element of which; empty for others."""
    while isinstance(target, c.Index):
        target = target.base
    return target.name if isinstance(target, c.Name) else ""


def launch_bounds(function: c.Function) -> list[str]:
    """Returns the qualifiers of a kernel that bound its launches: `__launch_bounds__(128)`."""
    return [word for word in function.qualifiers if word.startswith("__launch_bounds__")]


# --- names and calls --------------------------------------------------------------------------------------------------


def name_of(node: c.Name | c.Call) -> str:
    """Returns a name, or that of the called function; empty for a call by a pointer."""
    if isinstance(node, c.Name):
        return node.name
    return node.function if isinstance(node.function, str) else ""


def names_among(values: Iterable[c.Expression]) -> set[str]:
    """Returns the names of those expressions that are names."""
    return {value.name for value in values if isinstance(value, c.Name)}


def freed(item: c.Statement) -> c.Expression | None:
    """Returns the argument of `free(..);`; None for other statements."""
    match item:
        case c.Evaluate(c.Call("free", (argument,))):
            return argument
    return None


# --- integers ---------------------------------------------------------------------------------------------------------


def is_integer(literal: c.Literal) -> bool:
    """Returns True if a constant is an integer, and not a character."""
    return _INTEGER.fullmatch(literal.text) is not None


def integer(literal: c.Literal) -> int | None:
    """Returns the value of an integer constant; None for one that C takes as unsigned."""
    value, is_decimal = _integer(literal)
    return value if value < (1 << (63 if is_decimal else 31)) else None


def integer_type(literal: c.Literal) -> ScalarType:
    """Returns the type of an integer constant (C11, 6.4.4.1)."""
    text, (value, is_decimal) = literal.text.lower(), _integer(literal)
    is_unsigned = "u" in text or (not is_decimal and 1 << 31 <= value < 1 << 32)
    is_long = "l" in text or value >= (1 << (32 if is_unsigned else 31))
    return SCALAR_TYPES[f"{'unsigned ' if is_unsigned else ''}{'long' if is_long else 'int'}"]


def _integer(literal: c.Literal) -> tuple[int, bool]:
    """Returns the value, and whether it is written in decimal."""
    text = literal.text.lower().rstrip("ul")
    is_decimal = text == "0" or not text.startswith("0")
    return int(text) if is_decimal else int(text, 0) if text[1] in "xb" else int(text, 8), is_decimal


# --- changes ----------------------------------------------------------------------------------------------------------


def changes(tree: Trees) -> bool:
    """Returns True if a node of the trees assigns."""
    return bool(targets(tree))


def is_of_any_thread(block: Statements) -> bool:
    """Returns True if it is the same for the statements which thread executes them: they call no function of OpenMP,
    and have no jumps."""
    jumps = [*nodes(block, (c.Break, c.Continue)), *nodes(block, (c.Goto, c.Return))]
    return not jumps and not any(name_of(call).startswith("omp_") for call in nodes(block, c.Call))


def targets(tree: Trees) -> list[c.Expression]:
    """Returns the targets of assignments, increments and decrements in the trees."""
    steps = (node.operand for node in nodes(tree, c.Step))
    return [*(node.target for node in nodes(tree, (c.Assign, c.Set))), *steps]


def addressed(tree: Trees) -> list[c.Expression]:
    """Returns the operands of `&` in the trees."""
    return [node.operand for node in nodes(tree, c.Unary) if node.operator == "&"]


def changes_only_through_address(body: Trees, name: str) -> bool:
    """Returns True if a variable changes only in functions that receive its address."""
    return name not in names_among(targets(body))


def stepped_name(node: c.Expression | c.Assign) -> str | None:
    """Returns the variable that a step, `+=` or `-=` changes."""
    match node:
        case c.Step(operand=c.Name(name)):
            return name
        case c.Set("+=" | "-=", c.Name(name)) | c.Assign(target=c.Name(name), operator="+=" | "-="):
            return name
    return None


def declarations(definition: c.Function) -> list[c.Parameter | c.Declare]:
    """Returns the parameters and all declarations of a function."""
    return [*definition.parameters, *nodes(definition.body, c.Declare)]


def types_by_name(definition: c.Function) -> dict[str, c.Type]:
    """Returns the types of the names of a function that are declared once."""
    declared = declarations(definition)
    names = [item.name for item in declared]
    return {item.name: item.type for item in declared if names.count(item.name) == 1}


def contents(body: Statements) -> Statements:
    """Returns the statements of a body, or of the block that it is."""
    return body[0].body if len(body) == 1 and isinstance(body[0], c.Block) else body


def assigned(body: Trees) -> frozenset[str]:
    """Returns the names that change after their declaration, or whose address is taken, except as iterators in heads of
    loops."""
    heads = {
        id(node)
        for loop in nodes(body, c.For)
        for node in nodes((*loop.start, *loop.steps), (c.Assign, c.Set, c.Step, c.Unary))
    }
    names: set[str] = set()
    for node in nodes(body, (c.Assign, c.Set)):
        if id(node) not in heads and isinstance(node.target, c.Name):
            names.add(node.target.name)
    for changed in nodes(body, (c.Step, c.Unary)):
        is_one = isinstance(changed, c.Step) or changed.operator == "&"
        if is_one and id(changed) not in heads and isinstance(changed.operand, c.Name):
            names.add(changed.operand.name)
    return frozenset(names)


def changed_in_head(loop: c.For) -> set[str]:
    """Returns the names that a loop changes in its head."""
    heads = (*loop.start, *loop.steps, *([loop.test] if loop.test is not None else []))
    return names_among(targets(heads))


# --- declarations and directives --------------------------------------------------------------------------------------


def names_declared(block: Iterable[c.Statement]) -> set[str]:
    """Returns the names that the statements of a block declare for the rest of the block."""
    return {statement.name for statement in block if isinstance(statement, c.Declare | c.Typedef | c.Function)}


def begins_with_itself(declaration: c.Declare) -> bool:
    """Returns True if a variable's initial value reads the variable itself, which is undefined (`sizeof` reads
    nothing)."""
    return declaration.value is not None and _reads(declaration.value, declaration.name)


def _reads(tree: Part, name: str) -> bool:
    if isinstance(tree, c.SizeOf):
        return False
    if isinstance(tree, c.Name):
        return tree.name == name
    return any(_reads(child, name) for child in children(tree))


def is_zero_of_type(item: c.Declare, type_: ScalarType) -> bool:
    """Returns True for the declaration `int x = 0`."""
    return item.value == c.ZERO and scalar_type(item.type) == type_


def pragma_text(directive: c.Omp | c.Pragma) -> str:
    """Returns the text of a directive behind `#pragma`."""
    if isinstance(directive, c.Pragma):
        return directive.text
    return " ".join(["omp", directive.directive, *map(clause_text, directive.clauses)])


def words_of_directives(tree: Trees) -> set[str]:
    """Returns the words of all directives in the trees, the names of variables among them."""
    return {word for directive in nodes(tree, (c.Omp, c.Pragma)) for word in words_in(pragma_text(directive))}


def words_in(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))
