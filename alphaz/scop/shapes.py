"""Shapes of declarations and of allocations."""

from collections.abc import Sequence

from alphaz.c import tree as c
from alphaz.diagnostics import Span
from alphaz.model.types import UNSIGNED_INT, ScalarType
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import MinMaxExtent
from alphaz.scop.index_expressions import decided, index
from alphaz.scop.index_polynomials import (
    NotAffineCondition,
    TooComplicated,
    constant_polynomial,
    equals,
    number,
    polynomial_of,
    product,
)
from alphaz.scop.integer_widths import type_of_index
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState, stays_positive
from alphaz.scop.scope import Context, PointerView
from alphaz.scop.tree_queries import element_type, is_as_wide_as_sizes
from alphaz.scop.unsupported import outside

Extents = tuple[Polynomial | None, ...]


def declared_extents(state: ReaderState, nest: Context, type_: c.Type, span: Span | None = None) -> Extents:
    """Returns the extents of a declaration at `span`; the first extent of a pointer is unknown."""
    extents: list[Polynomial | None] = []
    while isinstance(type_, c.Pointer | c.Array):
        dimension = type_.extent if isinstance(type_, c.Array) else None
        extents.append(None if dimension is None else extent(state, nest, dimension))
        type_ = type_.of if isinstance(type_, c.Array) else type_.to
    if any(extent_ is None for extent_ in extents[1:]):
        message = "a pointer to pointers is not supported here"
        raise outside(span or state.source.word_at(1, 1), message, "use one array, `double (*a)[N]`")
    return tuple(extents)


def extent(state: ReaderState, nest: Context, node: c.Expression) -> Polynomial:
    asides = Existentials()
    try:
        value = decided(nest, index(state, nest, node, asides))
    except NoIndex as problem:
        raise outside(problem.span, f"this extent must be a polynomial of the parameters: {problem.why}") from None
    if not isinstance(value, Polynomial) or asides.iterators:
        raise outside(state.span(node), "this extent must be a polynomial of the parameters")
    return value


def factors(
    state: ReaderState, nest: Context, node: c.Expression, limits: list[MinMaxExtent] | None = None
) -> tuple[Polynomial, ...]:
    """Returns the factors of a number of elements, in the order of the text. If there is a list for `limits`, they may
    be minima of two values."""
    match node:
        case c.Binary("*", left, right):
            if type_of_index(state, nest, node) == UNSIGNED_INT:
                extent(state, nest, node)
            return (*factors(state, nest, left, limits), *factors(state, nest, right, limits))
        case c.Cast(type_, operand) if is_as_wide_as_sizes(type_):
            return factors(state, nest, operand, limits)
        case c.SizeOf():
            return _size(state, nest, node)
    value, limit = (extent(state, nest, node), None) if limits is None else _first(state, nest, node)
    if limits is not None and limit is not None:
        limits.append(limit)
    return () if value == constant_polynomial(1) else (value,)


def _size(state: ReaderState, nest: Context, node: c.SizeOf) -> tuple[Polynomial, ...]:
    """Returns the factors of `sizeof`: the extents, and the bytes of an element as the last factor."""
    span = state.span(node)
    match node.of:
        case c.Pointer():
            raise outside(span, "`sizeof` of a pointer is not the size of its array")
        case c.Unary("*") | c.Index() | c.Name() as element:
            name, depth = _base_of(element)
            meaning = nest.names.get(name)
            if isinstance(meaning, PointerView) and (depth or not meaning.is_pointer):
                inner = meaning.extents[depth:]
                known = tuple(length for length in inner if length is not None)
                if depth <= len(meaning.extents) and len(known) == len(inner):
                    return (*known, constant_polynomial(meaning.array.type.bytes))
        case c.Array() | c.Scalar() | c.Named() as declared:
            extents = [length for length in declared_extents(state, nest, declared, span) if length is not None]
            type_ = element_type(declared)
            if type_ is not None:
                return (*extents, constant_polynomial(type_.bytes))
    raise outside(span, "this size must be a polynomial of the parameters, with `sizeof` of a type or of an array")


def _base_of(element: c.Expression) -> tuple[str, int]:
    """Returns the name of an array, and the number of dimensions that its subscripts remove."""
    match element:
        case c.Name(name):
            return name, 0
        case c.Unary("*", inner) | c.Index(inner):
            name, depth = _base_of(inner)
            return name, depth + 1
    return "", 0


def allocated(
    state: ReaderState, nest: Context, call: c.Call, type_: ScalarType, inner: Sequence[Polynomial]
) -> tuple[Extents, MinMaxExtent | None]:
    """Returns the extents that an allocation gives to a pointer whose elements have the extents `inner`."""
    span, name, arguments = state.span(call), call.function, call.arguments
    if isinstance(name, str) and state.functions.allocates(name):
        whole = factors(state, nest, arguments[1]) if len(arguments) == 4 else ()
        if product(whole) != product(inner) * constant_polynomial(type_.bytes):
            raise outside(span, "the `sizeof` in this allocation differs from the element size of the pointer")
        return listed_extents(state, nest, arguments, span)
    match name, arguments:
        case ("malloc" | "cudaMalloc", [_]) | ("calloc", [_, _]):
            sizes = arguments
        case "aligned_alloc", [alignment, _] if _is_power_of_two(number(extent(state, nest, alignment))):
            sizes = arguments[1:]
        case _:
            message = f"`{name}` is not a supported allocation (expected `malloc`, `calloc` or `aligned_alloc`)"
            raise outside(span, message)
    limits: list[MinMaxExtent] = []
    amounts = [amount for size in sizes for amount in factors(state, nest, size, limits)]
    if not limits:
        return shaped(amounts, type_, inner, span), None
    # Elements of flat memory are grouped into rows of the requested extents: there may be this number of rows.
    rows = polynomial_of(limits[0].name)
    amounts.remove(rows)
    extents = shaped([rows, *amounts], type_, inner, span)
    if len(limits) > 1 or extents[0] != rows:
        raise outside(span, "only the first extent may be a minimum of two values")
    return extents, limits[0]


def _is_power_of_two(value: int | None) -> bool:
    return value is not None and value > 0 and value & (value - 1) == 0


def shaped(whole: Sequence[Polynomial], type_: ScalarType, inner: Sequence[Polynomial], span: Span) -> Extents:
    """Returns the extents of this number of bytes, for a pointer to arrays of the extents `inner`."""
    rest: list[Polynomial] = []
    bytes_ = constant_polynomial(type_.bytes)
    is_counted = False
    for factor in reversed(whole):
        if not is_counted and factor == bytes_:
            is_counted = True
        else:
            rest.insert(0, factor)
    if not is_counted:
        raise outside(span, "the allocated size must contain the size of an element", "use n * sizeof(type)")
    if not inner:
        return tuple(rest) or (constant_polynomial(1),)
    if len(rest) >= len(inner) and tuple(rest[len(rest) - len(inner) :]) == tuple(inner):
        return (product(rest[: len(rest) - len(inner)]), *inner)
    raise outside(span, "the allocated size must be a multiple of the row size of the pointer's type")


def listed_extents(
    state: ReaderState, nest: Context, arguments: Sequence[c.Expression], span: Span
) -> tuple[Extents, MinMaxExtent | None]:
    """Returns the extents that a call of a function of generated files lists: `(const int64_t[]){N, M}`."""
    for argument in arguments:
        values = argument.init.values if isinstance(argument, c.Compound) else ()
        if values and not any(designators for designators, _ in values):
            first, *rest = (value for _, value in values)
            behind = tuple(extent(state, nest, one) for one in rest)
            first_extents, limit = _first(state, nest, first)
            if number(extent(state, nest, arguments[-2])) != 1 + len(behind):
                break
            return (first_extents, *behind), limit
    is_number = len(arguments) > 2 and number(extent(state, nest, arguments[-2])) == 0
    if is_number and arguments[-1] == c.Name("NULL"):
        return (), None
    raise outside(span, "cannot determine the size of this allocation: expected a list of extents")


def _first(state: ReaderState, nest: Context, node: c.Expression) -> tuple[Polynomial, MinMaxExtent | None]:
    """Returns the first extent, which alone may be a minimum of two values."""
    asides = Existentials()
    try:
        value = decided(nest, index(state, nest, node, asides))
        if not isinstance(value, Polynomial) and not asides.iterators:
            name = state.fresh("extent")
            return polynomial_of(name), MinMaxExtent(name, equals(name, value))
    except (NoIndex, NotAffineCondition, TooComplicated):
        pass
    return extent(state, nest, node), None


def check_size(state: ReaderState, nest: Context, size: c.Expression, span: Span) -> None:
    """Checks that no factor of a number of bytes, which is unsigned, is negative."""
    for factor in factors(state, nest, size):
        stays_positive(state, nest, factor, Existentials(), span)


def part(
    state: ReaderState, nest: Context, size: c.Expression, pointer: PointerView, span: Span
) -> tuple[PointerView, tuple[Polynomial, ...]]:
    """Returns the region of this number of bytes at `pointer`: its start and its extents."""
    total = product(shaped(factors(state, nest, size), pointer.array.type, (), span))
    array = pointer.array
    behind = array.extents[len(pointer.lead) :] if pointer.offset is None else ()
    if pointer.offset is None and product(behind) == total:
        return PointerView(array, behind, pointer.lead), _known_extents(behind)
    is_start = pointer.offset is not None and not pointer.offset.terms
    if is_start and not array.is_used and product(array.extents) == total:
        return PointerView(array, array.extents), _known_extents(array.extents)
    if len(pointer.extents) == 1:
        return pointer, (total,)
    raise outside(span, "this size must be a multiple of the row size")


def _known_extents(extents: Extents) -> tuple[Polynomial, ...]:
    return tuple(length for length in extents if length is not None)
