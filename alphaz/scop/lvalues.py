"""Cells: the array and subscripts that an lvalue of C denotes. Subscripts are proved to lie inside the array (C0)."""

from alphaz.c import tree as c
from alphaz.diagnostics import Span
from alphaz.poly import Affine, Constraint, Domain, at_least
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import ArrayAccess, KernelArray
from alphaz.scop.index_expressions import as_polynomial, index
from alphaz.scop.index_polynomials import affine, constant_polynomial, divided, product
from alphaz.scop.packed_arrays import point_at
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState, UnsizedAccess
from alphaz.scop.scope import Context, NamedInteger, PartialSum, PointerView
from alphaz.scop.shapes import declared_extents
from alphaz.scop.tree_queries import base, is_of_header, is_simple, scalar_type
from alphaz.scop.unsupported import outside

_CARRIES = (0, 1, -1, 2, -2)


def view(state: ReaderState, nest: Context, node: c.Expression, asides: Existentials) -> PointerView | None:
    """Returns the view of a pointer expression; None for an expression that is no pointer. Raises Rejected for an
    unknown one."""
    match node:
        case c.Name():
            meaning = nest.names.get(node.name)
            if isinstance(meaning, PartialSum):
                message = f"`{node.name}` is a reduction variable of `omp parallel`: each thread has only a part of it"
                raise outside(state.span(node), message, "update it in `omp for` loops, and read it after the region")
            return meaning if isinstance(meaning, PointerView) else None
        case c.Cast(type_, operand):
            inner = view(state, nest, operand, asides)
            if inner is None or not isinstance(type_, c.Pointer):
                return None
            return _converted(state, nest, node, type_, inner)
        case c.Index(base_, at):
            inner = view(state, nest, base_, asides)
            return None if inner is None else element(inner, subscript(state, nest, at, asides))
        case c.Unary("*", operand):
            inner = view(state, nest, operand, asides)
            return None if inner is None else element(inner, constant_polynomial(0))
        case c.Unary("&", operand):
            inner = view(state, nest, operand, asides)
            return None if inner is None else _address(state, node, inner)
        case c.Binary("+" | "-"):
            inner = view(state, nest, node.left, asides)
            is_vector = (
                nest.lane is not None and inner is not None and inner.extents == (constant_polynomial(nest.lane[1]),)
            )
            if inner is None or not inner.extents or is_vector:
                return None
            by = subscript(state, nest, node.right, asides)
            return shift_pointer(state, node, inner, by if node.operator == "+" else Polynomial() - by)
    return None


def _converted(state: ReaderState, nest: Context, node: c.Cast, type_: c.Pointer, pointer: PointerView) -> PointerView:
    """Returns the pointer converted to rows of another length, or to vectors."""
    elements = base(type_)
    vector = state.functions.vector(elements)
    if vector is not None and is_of_header(elements):
        message = "a pointer converted to a vector type can be used only in loads and stores"
        raise outside(state.span(node), message, "use a load or store intrinsic")
    if vector is not None and vector.type == pointer.array.type:
        return _lanes(state, node, type_, pointer, vector.lanes)
    if scalar_type(elements) != pointer.array.type:
        raise outside(state.span(node), "a pointer is converted to another element type")
    return _shaped(state, nest, node, type_, pointer)


def _lanes(state: ReaderState, node: c.Cast, type_: c.Pointer, pointer: PointerView, lanes: int) -> PointerView:
    """Returns a pointer to scalars as a pointer to vectors of `lanes` elements."""
    if pointer.extents[1:] or not pointer.extents or not is_simple(type_.to):
        message = "only a pointer to elements of the vector's type can be converted to a vector pointer"
        raise outside(state.span(node), message)
    return PointerView(pointer.array, (None, constant_polynomial(lanes)), (), flat(pointer))


def _shaped(state: ReaderState, nest: Context, node: c.Cast, type_: c.Pointer, pointer: PointerView) -> PointerView:
    """Returns the pointer after a conversion, which may change the length of its rows."""
    extents = declared_extents(state, nest, type_, state.span(node))
    if extents[1:] == pointer.extents[1:] and pointer.extents:
        return pointer
    if not pointer.extents:
        raise outside(state.span(node), "an integer is converted to a pointer")
    return PointerView(pointer.array, extents, (), flat(pointer))


def subscript(state: ReaderState, nest: Context, node: c.Expression, asides: Existentials) -> Polynomial:
    try:
        return as_polynomial(state, node, index(state, nest, node, asides), asides)
    except NoIndex as problem:
        message = f"this subscript is not affine: {problem.why}"
        remedy = "subscripts must be affine in iterators and parameters, not data"
        raise outside(problem.span, message, remedy) from None


def whole_view(state: ReaderState, nest: Context, node: c.Expression) -> PointerView | None:
    """Returns the array or pointer that an expression denotes; None if it has side conditions, or is none."""
    asides = Existentials()
    pointer = view(state, nest, node, asides)
    return None if asides.iterators else pointer


def element(pointer: PointerView, at: Polynomial) -> PointerView:
    """Returns the view of `pointer[at]`."""
    if pointer.offset is None:
        return PointerView(pointer.array, pointer.extents[1:], (*pointer.lead, at))
    return PointerView(pointer.array, pointer.extents[1:], (), pointer.offset + at * product(pointer.extents[1:]))


def shift_pointer(state: ReaderState, node: c.Expression, pointer: PointerView, by: Polynomial) -> PointerView:
    """Returns the view of `pointer + by`."""
    if not by.terms:
        return pointer
    if pointer.offset is None and not pointer.lead and len(pointer.extents) == 0:
        raise outside(state.span(node), "pointer arithmetic with the address of a scalar")
    return PointerView(pointer.array, pointer.extents, (), flat(pointer) + by * product(pointer.extents[1:]))


def _address(state: ReaderState, node: c.Expression, pointer: PointerView) -> PointerView:
    """Returns the view of `&pointer[..]`: a pointer with one more dimension, of unknown extent."""
    if pointer.is_pointer:
        raise outside(state.span(node), "the address of a pointer variable is not supported: pass the pointer itself")
    return PointerView(pointer.array, (None, *pointer.extents), (), flat(pointer))


def flat(pointer: PointerView) -> Polynomial:
    """Returns the number of elements of the array before the one pointed to."""
    if pointer.offset is not None:
        return pointer.offset
    total = Polynomial()
    for position, value in enumerate(pointer.lead):
        total = total + value * product(pointer.array.extents[position + 1 :])
    return total


def access(state: ReaderState, span: Span, pointer: PointerView, domain: Domain, asides: Existentials) -> ArrayAccess:
    """Returns the cell pointed to. A flat offset is divided by the extents; it may need a carry on this domain, or a
    quotient, which is then added to `asides`.

    An obligation (C0) requires that the subscripts lie inside the array: only then is the division right.
    """
    array = pointer.array
    if pointer.extents:
        raise outside(span, f"expected a scalar, found array `{array.label}`")
    if not {*array.prefix} <= {*domain.space.names}:
        raise outside(span, f"`{array.label}` is accessed outside the block that declares it")
    if array.is_used:
        offset = Polynomial() if array.in_rows else flat(pointer)
        state.uses.append(UnsizedAccess(array=array, offset=offset, domain=domain, span=span, subscripts=pointer.lead))
        return ArrayAccess(array, (*map(Affine.name, array.prefix), *(Affine() for _ in array.extents)), span)
    if pointer.offset is not None and not array.extents and pointer.offset.terms:
        raise outside(span, f"`{array.label}` is a scalar: this access is past its end")
    if array.packed is not None:
        point = point_at(array.packed, flat(pointer), domain)
        if point is None:
            raise outside(span, f"`{array.label}` is packed: cannot find the point at this position")
        return ArrayAccess(array, (*map(Affine.name, array.prefix), *point), span)
    indices = pointer.lead if pointer.offset is None else offset_subscripts(pointer.offset, array)
    subscripts: list[Affine] = []
    for index_ in indices:
        value = affine(index_)
        if value is None:
            raise outside(span, f"the subscript {index_} of `{array.label}` is not affine")
        subscripts.append(value)
    if pointer.offset is not None:
        subscripts = _carry_subscripts(state, subscripts, array, domain, asides)
    return ArrayAccess(array, (*map(Affine.name, array.prefix), *subscripts), span)


def offset_subscripts(offset: Polynomial, array: KernelArray) -> tuple[Polynomial, ...]:
    """Returns the subscripts of an offset, by the strides of the array: quotients of polynomials."""
    rest, subscripts = offset, []
    if not array.extents:
        return ()
    for position in range(1, len(array.extents)):
        quotient, rest = divided(rest, product(array.extents[position:]))
        subscripts.append(quotient)
    return (*subscripts, rest)


def _carry_subscripts(
    state: ReaderState, subscripts: list[Affine], array: KernelArray, domain: Domain, asides: Existentials
) -> list[Affine]:
    for position in range(len(subscripts) - 1, 0, -1):
        extent = affine(array.extents[position] or Polynomial())
        if extent is None:
            continue
        for carry in _CARRIES:
            moved = subscripts[position] + extent * carry
            inside = Domain.where(domain.space, [at_least(moved, 0), at_least(extent - 1, moved)])
            if domain.is_subset(inside):
                subscripts[position] = moved
                subscripts[position - 1] = subscripts[position - 1] - carry
                break
        else:
            if extent.is_constant and extent.constant > 0:
                quotient = Affine.name(state.fresh("q"))
                rest = subscripts[position] - quotient * extent.constant
                bounds = (Constraint(rest), Constraint(extent - 1 - rest))
                asides.iterators += quotient.names
                asides.conditions.append((bounds,))
                # The next subscript contains the quotient.
                space = domain.space.with_names((*domain.space.names, *quotient.names))
                domain = domain.embedded(space) & Domain.where(space, bounds)
                subscripts[position], subscripts[position - 1] = rest, subscripts[position - 1] + quotient
    return subscripts


def whole(array: KernelArray) -> PointerView:
    """Returns the array as its name denotes it."""
    return PointerView(array, array.extents)


def accumulator(name: str, nest: Context) -> PointerView | None:
    """Returns the target of a reduction clause: a scalar, or a whole array, `y[:N]`."""
    variable, *sections = name.rstrip("]").replace("]", "").split("[")
    meaning = nest.names.get(variable.strip())
    if not isinstance(meaning, PointerView) or (not sections and meaning.extents):
        return None
    lengths = tuple(_length(section, nest) for section in sections)
    is_whole = lengths == meaning.array.extents and None not in lengths
    return meaning if not sections or (is_whole and meaning.is_start and not meaning.array.prefix) else None


def _length(section: str, nest: Context) -> Polynomial | None:
    """Returns the length of a section from the first element; None for other sections, or an unknown length."""
    first, colon, length = (side.strip() for side in section.partition(":"))
    if not colon or first not in ("", "0"):
        return None
    if length.isdigit():
        return constant_polynomial(int(length))
    known = nest.names.get(length)
    return known.value if isinstance(known, NamedInteger) and isinstance(known.value, Polynomial) else None
