"""Declarations: the meaning of names after them, their storage, initial values, and `restrict`."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import prod

from alphaz.c import tree as c
from alphaz.c.walk import all_blocks, nodes
from alphaz.diagnostics import Span
from alphaz.model.types import INT, ScalarType
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.assigned_integers import is_flag, named_integer
from alphaz.scop.assignments import assign, assign_lanes, fill, local, own_local
from alphaz.scop.c_model import KernelArray
from alphaz.scop.calls import called_before
from alphaz.scop.conversions import converted
from alphaz.scop.data_expressions import tree
from alphaz.scop.device_memory import ALLOCATOR
from alphaz.scop.functions import holds_only_status_codes
from alphaz.scop.index_polynomials import affine, constant_polynomial, number
from alphaz.scop.intrinsic_calls import integers_in
from alphaz.scop.intrinsics import LaneVector
from alphaz.scop.launches import declare_shared
from alphaz.scop.lvalues import element, flat, view
from alphaz.scop.packed_arrays import triangle
from alphaz.scop.pointer_checks import check_inside
from alphaz.scop.pointer_tables import declare_table, note_allocation, read_entry
from alphaz.scop.reader_state import ConditionalValue, Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, InlinedValue, PointerView, ReturnStatus, Undefined
from alphaz.scop.shapes import allocated, declared_extents, factors
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import (
    addressed,
    base,
    begins_with_itself,
    element_type,
    has_unknown_element_type,
    integer,
    is_integer,
    is_zero_of_type,
    name_of,
    scalar_type,
    targets,
)
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import LiteralValue, OperationValue, Tree

Place = tuple[int, ...]


def list_of(values: c.Expression, sizes: Sequence[int]) -> Mapping[Place, c.Expression] | None:
    """Returns the listed values, by subscripts; None for designators and for lists that are too long."""
    listed = _listed(values)
    if listed is None:
        return None
    rows = [isinstance(value_, c.Init) for value_ in listed]
    if not any(rows):
        return (
            {_place(position, sizes): value_ for position, value_ in enumerate(listed)}
            if len(listed) <= prod(sizes)
            else None
        )
    if not all(rows) or len(sizes) < 2 or len(listed) > sizes[0]:
        return None
    values_: dict[Place, c.Expression] = {}
    for position, row in enumerate(listed):
        inside = list_of(row, sizes[1:])
        if inside is None:
            return None
        values_ |= {(position, *place): value_ for place, value_ in inside.items()}
    return values_


def _listed(values: c.Expression) -> list[c.Expression] | None:
    """Returns the values of a list without designators; None for other values."""
    if not isinstance(values, c.Init) or any(designators for designators, _ in values.values):
        return None
    return [value for _, value in values.values]


def is_zero(value: c.Expression) -> bool:
    """Returns True if it is the constant 0 of `int`, `float` or `double`, but not -0.0."""
    return isinstance(value, c.Literal) and _number(value.text) == 0


def _number(text: str) -> float | None:
    """Returns the value of a decimal constant without a suffix other than `f`."""
    try:
        return float(text.rstrip("fF"))
    except ValueError:
        return None


def _place(at: int, sizes: Sequence[int]) -> Place:
    """Returns the subscripts of an element from its flat position."""
    place: list[int] = []
    for size in reversed(sizes):
        at, rest = divmod(at, size)
        place.insert(0, rest)
    return tuple(place)


def is_unaliased(state: ReaderState, nest: Context, item: c.Declare, target: PointerView) -> bool:
    """Returns True if a pointer into an array is the only name of it used in its scope, or all names there only read
    it."""
    scope = _scope(state.body, item)
    if scope is None or target.array in (
        meaning.array for meaning in state.around.values() if isinstance(meaning, PointerView)
    ):
        return False
    others = {
        name
        for name, meaning in nest.names.items()
        if isinstance(meaning, PointerView) and meaning.array is target.array
    }
    others.discard(item.name)
    if not others & names_in(scope):
        return True
    return not _with_derived({item.name, *others}, scope) & _changed_names(state, scope)


def _scope(body: Sequence[c.Statement], item: c.Declare) -> Sequence[c.Statement] | None:
    """Returns the statements after a declaration in its block; None if the declaration is in no block."""
    for block in (body, *all_blocks(body)):
        at = next((position for position, other in enumerate(block) if other is item), None)
        if at is not None:
            return block[at + 1 :]
    return None


def _with_derived(names: set[str], scope: Sequence[c.Statement]) -> set[str]:
    """Returns these names and those of declarations that use them."""
    declared = nodes(scope, c.Declare)
    while more := {declaration.name for declaration in declared if names & names_in(declaration.value)} - names:
        names |= more
    return names


def _changed_names(state: ReaderState, scope: Sequence[c.Statement]) -> set[str]:
    """Returns the names through which an object is, or may be, modified."""
    places = [*targets(scope), *addressed(scope)]
    places += [argument for call in nodes(scope, c.Call) if _may_change(state, call) for argument in call.arguments]
    return names_in(places)


def _may_change(state: ReaderState, call: c.Call) -> bool:
    """Returns True if a function may modify an object whose address it receives."""
    functions = state.functions
    if intrinsics := functions.intrinsics(call):
        return any(intrinsic.stored for intrinsic in intrinsics)
    name = name_of(call)
    return name in functions.defined or functions.signature(name, len(call.arguments)) is None


_ALLOCATORS = ("malloc", "calloc", "aligned_alloc", ALLOCATOR)
_EMPTY = ("this array may have size 0 for some parameters", "declare it where its size is at least 1")
_UNKNOWN_VALUES = "this initializer is not supported: expected a list of values"
# The alignment of the strictest C type (16 bytes on 64-bit machines).
_MALLOC_ALIGNS = 16


def declare(state: ReaderState, item: c.Declare, nest: Context, here: Context) -> Context:
    """Returns the context after a declaration; assigns the initial value."""
    span = state.span(item)
    if item.space is c.AddressSpace.SHARED:
        return declare_shared(state, item, nest)
    _check_storage(item, span)
    vector = state.functions.vector(base(item.type))
    if vector is not None and not isinstance(item.type, c.Pointer):
        return _vectors(state, item, nest, here, vector, span)
    if isinstance(item.type, c.Pointer) and isinstance(item.type.to, c.Pointer):
        return declare_table(state, item, nest, here, span)
    type_ = element_type(item.type)
    if type_ is None or begins_with_itself(item):
        title = f"the declaration of `{item.name}`" if item.name else "this declaration"
        raise outside(span, f"{title} is not supported: expected a scalar, an array, or a pointer to elements")
    if isinstance(item.type, c.Pointer):
        return _pointer(state, item, nest, here, type_, span)
    if isinstance(item.type, c.Array):
        return _array(state, item, nest, here, type_, span)
    if type_.kind == "int" and (known := _integer(state, item, nest, type_)) is not None:
        return known
    then = here if item.value is None else called_before(state, item.value, here)
    if item.value is not None and item.name not in state.changed and then is here:
        reading = StatementReads(state, nest, Existentials())
        if (inlined := _inlined_initial(state, item.value, reading, type_)) is not None:
            return nest.with_names({item.name: inlined})
    pointer = own_local(state, item.name, type_, (), nest, span)
    if item.value is not None:
        assign(state, pointer, item.value, then, span)
    _seal(state, pointer, item)
    return nest.with_names({item.name: pointer})


def _seal(state: ReaderState, pointer: PointerView, item: c.Declare) -> None:
    """Marks the elements of a constant as never written, even through another pointer."""
    if base(item.type).const:
        state.sealed.add(pointer.array.name)


def _array(state: ReaderState, item: c.Declare, nest: Context, here: Context, type_: ScalarType, span: Span) -> Context:
    extents = declared_extents(state, nest, item.type, span)
    if isinstance(item.value, c.Init) and extents[0] is None:
        extents = (constant_polynomial(len(item.value.values)), *extents[1:])
    if any(extent is None for extent in extents):
        raise outside(span, f"the extents of `{item.name}` are unknown")
    alignment = _stated_alignment(item, type_, span)
    if len(extents) == 1 and item.value is None and extents[0] is not None and affine(extents[0]) is None:
        # A flat array of a product has the shape of its factors.
        rows = factors(state, nest, item.type.extent) if isinstance(item.type, c.Array) and item.type.extent else ()
        _check_lengths(state, rows, nest, span)
        shaped = own_local(state, item.name, type_, rows, nest, span, alignment=alignment)
        return nest.with_names({item.name: PointerView(shaped.array, extents, (), Polynomial())})
    _check_lengths(state, extents, nest, span)
    own = own_local(state, item.name, type_, extents, nest, span, alignment=alignment)
    if item.value is not None:
        _initialise(state, own, item.value, here, span)
    _seal(state, own, item)
    return nest.with_names({item.name: own})


def _check_lengths(state: ReaderState, extents: Sequence[Polynomial | None], nest: Context, span: Span) -> None:
    """Checks that arrays have at least one element (C11, 6.7.6.2)."""
    for extent in extents:
        if extent is not None and (packed := triangle(extent)) is not None:
            extent = Polynomial.affine(packed.extents[0])
        size = None if extent is None else number(extent)
        if size is not None and size < 1:
            raise outside(span, "this array has no element", "give it a size of at least 1")
        if extent is not None and size is None:
            state.require(nest, extent - constant_polynomial(1), span, otherwise=_EMPTY)


def _initialise(state: ReaderState, pointer: PointerView, values: c.Expression, nest: Context, span: Span) -> None:
    """Assigns the initial values of an array: the listed ones, and zeros."""
    sizes = [None if extent is None else number(extent) for extent in pointer.extents]
    lengths = [size for size in sizes if size is not None]
    if len(lengths) < len(sizes):
        raise outside(span, "an array of variable size cannot have an initializer", "assign them")
    listed = list_of(values, lengths)
    if listed is None:
        raise outside(span, _UNKNOWN_VALUES, "list the values row by row, or assign them")
    nonzero = {at: value for at, value in listed.items() if not is_zero(value)}
    if len(nonzero) < prod(lengths):
        fill(state, pointer, nest.at(0), span)
    for position, (at, value) in enumerate(nonzero.items()):
        target = pointer
        for subscript in at:
            target = element(target, constant_polynomial(subscript))
        assign(state, target, value, nest.at(position + 1), state.span(value))


def _inlined_initial(
    state: ReaderState, initial: c.Expression, reading: StatementReads, type_: ScalarType
) -> InlinedValue | None:
    """Returns a constant initial value without reads as a value to inline."""
    try:
        value = converted(tree(reading, initial), type_)
    except ConditionalValue:
        return None
    if value is None or reading.pointers or reading.asides.iterators or _divides_integers(value):
        return None
    return InlinedValue(value, type_)


def _divides_integers(value: Tree) -> bool:
    """Returns True if a value is computed by a division that may be undefined: then it is computed where it stands."""
    match value:
        case OperationValue("/" | "%", (_, divisor), type_) if not type_.is_float:
            return not isinstance(divisor, LiteralValue) or divisor.value == 0
        case OperationValue(_, operands):
            return any(map(_divides_integers, operands))
    return False


def _integer(state: ReaderState, item: c.Declare, nest: Context, type_: ScalarType) -> Context | None:
    """Returns the context in which an integer has a value, or will have one; None for data."""
    if type_.bits < 32:
        return None
    if item.name in state.changed:
        functions, body = state.functions, state.body
        if is_zero_of_type(item, INT) and holds_only_status_codes(functions, body, item.name):
            return nest.with_names({item.name: ReturnStatus()})
        if item.name not in state.followed:
            return None
    if item.value is None:
        return nest.with_names({item.name: Undefined(type_)})
    if not is_flag(item.value):
        with suppress(NoIndex):
            return named_integer(state, item.name, item.value, type_, nest, item)
    if item.name in state.followed:
        state.read_as_data(item.name)
    return None


def _pointer(
    state: ReaderState, item: c.Declare, nest: Context, here: Context, type_: ScalarType, span: Span
) -> Context:
    if item.value is None or item.name in state.changed:
        message = f"the pointer `{item.name}` is reassigned other than by one step per loop iteration, or a swap"
        raise outside(span, message, "write `p[i]`")
    broken = f"cannot show that no other name accesses the target of `restrict` pointer `{item.name}`"
    is_alone = isinstance(item.type, c.Pointer) and item.type.restrict
    if (entry := read_entry(state, item, nest, here, span)) is not None:
        if is_alone:
            raise outside(span, broken, "leave it out")
        return entry
    declared = declared_extents(state, nest, item.type, span)
    inner = tuple(extent for extent in declared[1:] if extent is not None)
    init = item.value.operand if isinstance(item.value, c.Cast) else item.value
    if isinstance(init, c.Call) and (name_of(init) in _ALLOCATORS or state.functions.allocates(name_of(init))):
        _check_conversion(state, item, declared, nest, span)
        # `sizeof *p` refers to the pointer being declared.
        itself = PointerView(KernelArray(item.name, type_, declared, span), declared)
        array = _allocate(state, itself, init, nest, span)
        if name_of(init) == ALLOCATOR:
            state.memory[array.array.name] = (True, span)
        if name_of(init) == "calloc":
            fill(state, array, here, span)
        is_alike = len(array.extents) == len(declared)
        pointer = array if is_alike else PointerView(array.array, declared, (), Polynomial())
        return nest.with_names({item.name: replace(pointer, is_pointer=True)})
    asides = Existentials()
    target = view(state, nest, item.value, asides)
    if target is None or target.array.type != type_:
        raise outside(span, f"cannot tell which array `{item.name}` points to")
    check_inside(state, asides.added(nest), target, span)
    if is_alone and not is_unaliased(state, nest, item, target):
        raise outside(span, broken, "leave it out")
    if target.extents[1:] != inner:
        target = PointerView(target.array, (None, *inner), (), flat(target))
    return asides.added(nest).with_names({item.name: replace(target, is_pointer=True)})


def _allocate(state: ReaderState, pointer: PointerView, call: c.Call, nest: Context, span: Span) -> PointerView:
    """Returns the array that an allocation makes for a pointer."""
    array = pointer.array
    note_allocation(state, name_of(call))
    inner = tuple(extent for extent in pointer.extents[1:] if extent is not None)
    extents, limit = allocated(state, nest.with_names({array.name: pointer}), call, array.type, inner)
    own = own_local(state, array.name, array.type, extents, nest, span, limit, _allocated_at(call))
    state.allocated[own.array.name] = (nest.region is not None, nest.working is not None)
    return own


def _check_conversion(
    state: ReaderState, item: c.Declare, declared: Sequence[Polynomial | None], nest: Context, span: Span
) -> None:
    """Raises Rejected if newly allocated memory is converted to another type than that of the pointer."""
    if not isinstance(item.value, c.Cast):
        return
    to, own = item.value.type, base(item.type)
    extents = declared_extents(state, nest, to, span) if isinstance(to, c.Pointer) else ()
    if element_type(to) != scalar_type(own) or extents != declared:
        message = "allocated memory is converted to another type than that of the pointer"
        raise outside(span, message, "remove the conversion")


def _vectors(
    state: ReaderState, item: c.Declare, nest: Context, here: Context, vector: LaneVector, span: Span
) -> Context:
    """Declares vectors, or arrays of vectors, as arrays with one more dimension, the lanes."""
    if has_unknown_element_type(base(item.type)):
        vector = integers_in(state, nest, item, state.body, vector.bytes * 8)
    extents = (*declared_extents(state, nest, item.type, span), constant_polynomial(vector.lanes))
    is_every = nest.is_every_thread
    if is_every or any(extent is None for extent in extents) or begins_with_itself(item):
        where = "must be declared inside the loops of `omp parallel`, with known extents"
        raise outside(span, f"vectors like `{item.name}` {where}")
    pointer = local(state, item.name, vector.type, extents, nest, span, is_vector=True)
    if isinstance(item.value, c.Init) and len(extents) == 2:
        listed = _listed(item.value)
        if listed is None or number(extents[0] or Polynomial()) != len(listed):
            raise outside(span, _UNKNOWN_VALUES, "list one value for each vector, or assign them")
        for position, value in enumerate(listed):
            assign_lanes(state, element(pointer, constant_polynomial(position)), value, here.at(position), span)
    elif item.value is not None:
        assign_lanes(state, pointer, item.value, called_before(state, item.value, here), span)
    return nest.with_names({item.name: pointer})


def _allocated_at(call: c.Call) -> int:
    """Returns the alignment of an allocation, in bytes."""
    if call.function in ("malloc", "calloc"):
        return _MALLOC_ALIGNS
    return _alignment(call.arguments[0]) if call.function == "aligned_alloc" else 1


def _alignment(value: c.Expression | None) -> int:
    """Returns a stated alignment, in bytes; 1 if it is no integer constant."""
    return (integer(value) or 1) if isinstance(value, c.Literal) and is_integer(value) else 1


def _stated_alignment(item: c.Declare, type_: ScalarType, span: Span) -> int:
    """Returns the alignment that a declaration states, in bytes. Raises Rejected for one that C does not allow (C11,
    6.7.5)."""
    alignment = _alignment(item.align)
    if item.align is not None and (alignment * 8 < type_.bits or alignment & (alignment - 1)):
        message = "this is no C: an alignment is a constant power of 2, at least the size of the type"
        raise outside(span, message, "write `_Alignas(32)`")
    return alignment


def _check_storage(item: c.Declare, span: Span) -> None:
    """Raises Rejected for objects that outlive the call, except constants, which are the same in each call."""
    storage = item.storage.split()
    if "extern" in storage:
        message = f"`{item.name}` is `extern`: objects of other files are not supported"
        raise outside(span, message, "pass it as an argument")
    if "static" in storage and (item.value is None or not base(item.type).const):
        message = f"`{item.name}` is `static`: values kept between calls are not supported"
        raise outside(span, message, "declare it without `static`")
