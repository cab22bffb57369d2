"""The arguments of a C function: which are parameters, and the shapes of its arrays."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.c.parse import parse_expression
from alphaz.c.walk import nodes
from alphaz.diagnostics import Source, Span
from alphaz.model.types import INT, ScalarType
from alphaz.poly import Affine, Domain, Space
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import RESULT
from alphaz.scop.extraction import check_supported, used_extents
from alphaz.scop.file_scope import declared_outside, name_constants
from alphaz.scop.functions import functions_of
from alphaz.scop.idioms import points_to_rows
from alphaz.scop.index_expressions import index
from alphaz.scop.index_polynomials import affine, polynomial_of
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, NamedInteger
from alphaz.scop.shapes import declared_extents
from alphaz.scop.statements import read_statements
from alphaz.scop.substitution import count
from alphaz.scop.tree_queries import (
    Trees,
    assigned,
    base,
    element_type,
    is_integer,
    is_simple,
    is_wide_integer,
    scalar_type,
)
from alphaz.scop.unsupported import outside


@dataclass(frozen=True, slots=True, eq=False)
class FunctionArguments:
    """The arguments of one function.

    `parameters` are the integers passed by value, `shapes` the extents of everything that holds data (none for a
    scalar), `by_value` the scalars passed by value; `span` is where the function is defined. `used`: the arrays whose
    extents are inferred from their use; `unsigned`: the parameters that are never below 0; `macros`: the parameters
    that are macros of the text.
    """

    parameters: tuple[str, ...]
    shapes: Mapping[str, tuple[Affine, ...]]
    by_value: frozenset[str]
    span: Span
    used: tuple[str, ...] = ()
    unsigned: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()


def read_arguments(
    source: Source, tree: c.File, function: str, stated_extents: Mapping[str, Sequence[str]], macros: Sequence[str] = ()
) -> FunctionArguments:
    """Returns the arguments of a function of the file.

    `stated_extents` has the extents, in C, of pointers that do not declare theirs. Raises Rejected (AZ832) for a
    pointer without known extents, and for unsigned scalars.
    """
    functions = functions_of(tree)
    definition = functions.defined[function]
    declared = [argument for argument in definition.parameters if argument.name]
    changed = assigned(definition.body)
    passed = {item.name: type_ for item in declared if (type_ := _parameter_type(item, changed)) is not None}
    parameters = (*passed, *(macro for macro in macros if macro not in passed))
    state = ReaderState(source, functions, Domain.universe(Space(parameters)), read_statements, changed=changed)
    check_supported(state, tree, definition)
    name_constants(state, tree)
    names = {macro: NamedInteger(polynomial_of(macro), INT) for macro in macros}
    names |= {name: NamedInteger(polynomial_of(name), type_) for name, type_ in passed.items()}
    nest = Context(names=names)
    shapes: dict[str, tuple[Affine, ...] | None] = {}
    by_value = set()
    for item in declared:
        if item.name in parameters:
            continue
        if is_simple(item.type):
            by_value.add(item.name)
            shapes[item.name] = ()
        elif item.name in stated_extents:
            shapes[item.name] = tuple(_parse_size(state, nest, item, text) for text in stated_extents[item.name])
        else:
            shapes[item.name] = _shape(state, nest, item, definition.body)
    for name, variable in declared_outside(tree, functions, definition).items():
        if not base(variable.type).const and name not in state.constants:
            shapes[name] = _shape(state, nest, variable, definition.body)
    if returns_data(definition) and "result" not in {item.name for item in declared}:
        shapes[RESULT] = ()
    unknown = tuple(name for name, shape in shapes.items() if shape is None)
    used = used_extents(source, tree, function, parameters, shapes, macros) if unknown else {}
    for item in declared:
        if item.name in unknown and item.name not in used:
            problem, remedy = f"the extents of `{item.name}` are unknown", f"state them: --shape {item.name}=N,M"
            raise outside(state.span(item), problem, remedy)
    known_ = {name: used[name] if shape is None else shape for name, shape in shapes.items()}
    return FunctionArguments(
        parameters=parameters,
        unsigned=tuple(name for name, type_ in passed.items() if not type_.signed),
        shapes=known_,
        by_value=frozenset(by_value),
        span=state.span(definition),
        used=unknown,
        macros=tuple(macros),
    )


def returns_data(definition: c.Function) -> bool:
    """Returns True if a function returns a number that it computes. A returned constant is a status code."""
    values = [node.value for node in nodes(definition.body, c.Return) if node.value is not None]
    return scalar_type(definition.type) is not None and not all(map(_is_status, values))


def _is_status(value: c.Expression) -> bool:
    match value:
        case c.Unary("-", operand):
            return _is_status(operand)
        case c.Name(name):
            return name in ("EXIT_SUCCESS", "EXIT_FAILURE", "true", "false")
        case c.Literal(text):
            return is_integer(value) and not text.lower().endswith(("u", "l"))
    return False


def _parameter_type(declaration: c.Parameter, changed: frozenset[str]) -> ScalarType | None:
    """Returns the type of an argument that is a parameter; None for others."""
    type_ = scalar_type(declaration.type)
    return type_ if is_wide_integer(type_) and declaration.name not in changed else None


def _shape(
    state: ReaderState, nest: Context, declaration: c.Parameter | c.Declare, body: Trees
) -> tuple[Affine, ...] | None:
    """Returns the declared extents; None if the first extent is not declared, or for an array of row pointers."""
    if element_type(declaration.type) is None:
        message = f"`{declaration.name}` has an unsupported type (expected a C integer, `float` or `double`)"
        raise outside(state.span(declaration), message)
    if points_to_rows(declaration):
        return None
    extents = declared_extents(state, nest, declaration.type, state.span(declaration))
    if extents == (None,) and _is_one_number(declaration.name, body):
        return ()
    if extents[:1] == (None,):
        return None
    extents_ = [None if extent is None else affine(extent) for extent in extents]
    if any(length is None for length in extents_):
        raise outside(state.span(declaration), f"the extents of `{declaration.name}` are not affine in the parameters")
    return tuple(length for length in extents_ if length is not None)


def _parse_size(state: ReaderState, nest: Context, declaration: c.Parameter, text: str) -> Affine:
    value, node = None, parse_expression(text)
    if node is not None:
        with suppress(NoIndex):
            value = index(state, nest, node, Existentials())
    size = affine(value) if isinstance(value, Polynomial) else None
    if size is None:
        raise outside(state.span(declaration), f"`{text}` is not an affine extent of `{declaration.name}`")
    return size


def _is_one_number(name: str, body: Trees) -> bool:
    """Returns True if a pointer is used only as `*p` or `p[0]`."""
    pointer = c.Name(name)
    alone = (c.Unary("*", pointer), c.Index(pointer, c.ZERO))
    return sum(node in alone for node in nodes(body, (c.Unary, c.Index))) == count(body, name)
