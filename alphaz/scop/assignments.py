"""Assignments: the accesses and values of a statement, collected with the loops and conditions around it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType

from alphaz.c import tree as c
from alphaz.diagnostics import Span
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, Constraint, Domain, Space
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import (
    Annotation,
    ArrayAccess,
    KernelArray,
    KernelLoop,
    KernelStatement,
    LoopKind,
    MinMaxExtent,
    NonNegativeValue,
    Write,
)
from alphaz.scop.conversions import converted, plain, type_of
from alphaz.scop.data_expressions import tree
from alphaz.scop.index_expressions import condition, quotient
from alphaz.scop.index_polynomials import Condition, affine, constant_polynomial, leaves, number, polynomial_of
from alphaz.scop.intrinsic_calls import is_lanewise, loads
from alphaz.scop.lvalues import access, element, view
from alphaz.scop.packed_arrays import PackedArray, triangle
from alphaz.scop.parallel_region import ParallelRegion, collected_reductions, is_merge, with_barriers
from alphaz.scop.reader_state import ConditionalValue, Existentials, ReaderState
from alphaz.scop.scope import Context, NamedInteger, PointerView
from alphaz.scop.shapes import check_size, part
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.supported_pragmas import limits_teams, limits_threads
from alphaz.scop.unsupported import outside, race, undefined
from alphaz.scop.value_tree import LiteralValue, OperationValue, ReadValue, Tree, is_lazy, reads_in

_ZERO = Fraction(0)
_MOST_STATEMENTS = 2000
# Of parameters for which the iterations of a loop are counted.
_LARGEST = 4
_UNSIGNED = "cannot show that this unsigned value does not wrap around below 0: it is not affine"
# Not a C identifier.
_ANY_LANE = "lane'"


def local(
    state: ReaderState, name: str, type_: ScalarType, extents: Sequence[Polynomial | None], nest: Context, span: Span,
    limit: MinMaxExtent | None = None, alignment: int = 1, is_vector: bool = False,
    space: c.AddressSpace = c.AddressSpace.REGISTER,
) -> PointerView:  # fmt: skip
    """Declares a local array or scalar: a new object each time its declaration is reached. `space`: its memory in the
    kernel of a GPU."""
    packed = triangle(extents[0]) if len(extents) == 1 and extents[0] is not None and limit is None else None
    shape = tuple(extents) if packed is None else tuple(map(Polynomial.affine, packed.extents))
    array = KernelArray(
        array_name(state, name), type_, shape, span,
        prefix=nest.iterators, limit=limit, alignment=alignment, is_vector=is_vector, packed=packed,
        space=c.AddressSpace.HOST if nest.block is None else space,
    )  # fmt: skip
    state.arrays[array.name] = array
    if packed is not None:
        return PointerView(array, tuple(extents), (), Polynomial())
    if nest.block is not None:
        state.of_kernels.add(array.name)
    return PointerView(array, tuple(extents))


def own_local(
    state: ReaderState, name: str, type_: ScalarType, extents: Sequence[Polynomial | None], nest: Context, span: Span,
    limit: MinMaxExtent | None = None, alignment: int = 1,
) -> PointerView:  # fmt: skip
    """Declares a local array or scalar that, in a parallel region, is private to each thread."""
    pointer = local(state, name, type_, extents, nest, span, limit, alignment)
    if nest.is_every_thread:
        state.per_thread.add(pointer.array.name)
    return pointer


def array_name(state: ReaderState, name: str) -> str:
    count, candidate = 1, name
    while candidate in state.arrays:
        count += 1
        candidate = f"{name}.{count}"
    return candidate


def assign(
    state: ReaderState, pointer: PointerView, value: c.Expression, nest: Context, span: Span,
    chosen: Mapping[int, bool] = MappingProxyType({}),
) -> None:  # fmt: skip
    """Reads `pointer = value`: one statement, or one for each case of an affine choice."""
    # Obligations compare the value of a statement with equations, so the value has no cases.
    reading = StatementReads(state, nest, Existentials(chosen=chosen, depth=nest.depth), chosen)
    try:
        value_tree = tree(reading, value)
    except ConditionalValue as choice:
        for position, is_wanted in enumerate((True, False)):
            asides = Existentials()
            where = condition(state, nest, choice.test, asides, is_wanted)
            inside = asides.added(nest).where(where).at(position)
            assign(state, pointer, value, inside, span, {**chosen, id(choice.node): is_wanted})
        return
    stored = converted(value_tree, pointer.array.type)
    if stored is None:
        types = f"a value of type {type_of(value_tree)} is assigned to {pointer.array.type}"
        raise outside(span, f"{types}: the conversion may change it")
    emit(state, pointer, plain(stored), reading, reading.asides.added(nest), span)


def have_one_type(state: ReaderState, nest: Context, values: Sequence[c.Expression]) -> bool:
    """Returns True if the values certainly have one type, so that a choice between them converts none."""
    results, divided = dict(state.results), len(state.divided)
    try:
        types = set()
        for value in values:
            types.add(type_of(tree(StatementReads(state, nest, Existentials(depth=nest.depth)), value)))
            state.results.update(results)
        return len(types) == 1
    except ConditionalValue:
        return False
    finally:
        state.results.update(results)
        del state.divided[divided:]


def assign_lanes(state: ReaderState, pointer: PointerView, value: c.Expression, nest: Context, span: Span) -> None:
    """Reads a vector assignment lane by lane: all lanes are read before any is written."""
    lanes = number(pointer.extents[0]) if len(pointer.extents) == 1 and pointer.extents[0] is not None else None
    if lanes is None:
        assign(state, pointer, value, nest, span)
    elif not _meets_itself(state, pointer, value, nest, lanes):
        _by_lanes(state, pointer, value, nest, span, lanes)
    else:
        name = state.fresh("vector")
        between = local(state, name, pointer.array.type, pointer.extents, nest, span, is_vector=True)
        _by_lanes(state, between, value, nest.at(0), span, lanes)
        _by_lanes(state, pointer, c.Name(name, at=value.at), nest.at(1).with_names({name: between}), span, lanes)


def _meets_itself(state: ReaderState, pointer: PointerView, value: c.Expression, nest: Context, lanes: int) -> bool:
    """Returns True if a lane may read a cell that another lane writes."""
    is_same = is_lanewise(state.functions, value)
    if is_same and not loads(state.functions, value):
        return False
    results, divided = dict(state.results), len(state.divided)
    try:
        for at in (polynomial_of(_ANY_LANE),) if is_same else map(constant_polynomial, range(lanes)):
            reading = StatementReads(state, replace(nest, lane=(at, lanes)), Existentials(depth=nest.depth))
            tree(reading, value)
            own = element(pointer, at)
            if any(other.array is pointer.array and other != own for other, _ in reading.pointers):
                return True
            state.results.update(results)
    except ConditionalValue:
        return True
    finally:
        state.results.update(results)
        del state.divided[divided:]
    return False


def _by_lanes(
    state: ReaderState, pointer: PointerView, value: c.Expression, nest: Context, span: Span, lanes: int
) -> None:
    """Adds the lanes as an unordered loop if they are computed alike; else one statement for each lane, in
    order."""
    if state.is_across or not is_lanewise(state.functions, value):
        results = dict(state.results)
        for position in range(lanes):
            state.results.update(results)
            inside = replace(nest.at(position), lane=(constant_polynomial(position), lanes))
            assign(state, element(pointer, constant_polynomial(position)), value, inside, span)
        return
    name = state.fresh("lane")
    within = ((Constraint(Affine.name(name)), Constraint(Affine(constant=lanes - 1) - Affine.name(name))),)
    inside = nest.inside(KernelLoop(name, 1, LoopKind.SIMD, span), within)
    at_lane = polynomial_of(name)
    assign(state, element(pointer, at_lane), value, replace(inside, lane=(at_lane, lanes)), span)


def emit(
    state: ReaderState, pointer: PointerView, value: Tree, reading: StatementReads, nest: Context, span: Span
) -> None:
    """Adds the assignment of a value, whose reads are known."""
    _check_assignable(state, pointer, value, reading, nest, span)
    domain, asides = domain_of(state, nest), Existentials()
    target = access(state, span, pointer, domain, asides)
    reads = reading.accesses(domain, asides)
    annotation = _annotation(state, nest, span, asides)
    if asides.iterators:
        nest = asides.added(nest)
        domain = domain_of(state, nest)
    for cell in (target, *reads):
        if cell.array.name in state.released:
            raise outside(span, f"`{cell.array.label}` is used after it was released")
    write = Write(nest.mutex, _reductions(state, pointer, value, reading, nest, span))
    # Conditions with cases split one set into many pieces, and obligations are about pairs of pieces.
    domain = domain.simplify()
    if domain.piece_count == 0:
        return
    for cell, is_copied_to in ((target, True), *((read, False) for read in reads)):
        _check_memory(state, cell, nest, is_copied_to)
    statement = KernelStatement(
        name="", iterators=nest.iterators, conditions=nest.conditions, domain=domain, date=nest.date, target=target,
        reads=reads, value=value, span=span, write=write, annotation=annotation,
        share=nest.share(is_private=nest.is_every_thread and target.array.name in state.per_thread), block=nest.block,
        operation=state.operation,
    )  # fmt: skip
    _append(state, statement)


def _check_memory(state: ReaderState, cell: ArrayAccess, nest: Context, is_target: bool) -> None:
    """Checks that kernels access the memory of the GPU, and the host its own."""
    name = cell.array.name
    if name in state.of_kernels:
        return
    is_there = nest.block is not None if state.copied is None else state.copied[not is_target]
    known, span = state.memory.setdefault(name, (is_there if cell.array.is_argument else False, cell.span))
    if known != is_there:
        places = ("the memory of the GPU", "that of the host")
        at = f"line {span.position[0]}"
        message = (
            f"`{cell.array.label}` is in {places[not known]} ({at}), and is accessed as if it were in {places[known]}"
        )
        raise undefined(cell.span, message, "copy it with `cudaMemcpy`, in the right direction")


def _check_assignable(
    state: ReaderState, pointer: PointerView, value: Tree, reading: StatementReads, nest: Context, span: Span
) -> None:
    """Raises Rejected for data races, and for assignments to constants."""
    if nest.is_every_thread and not _is_of_each_thread(state, pointer, value, reading, nest):
        message = f"unprotected update of `{pointer.array.label}` inside `omp parallel`: every thread executes it"
        remedy = "use `omp critical`, `omp atomic`, `omp single`, or `omp for`"
        raise race(span, message, remedy) if _is_race(state, pointer, value, nest) else outside(span, message, remedy)
    if nest.working and any(p.array.name in state.per_thread for p in (pointer, *(r for r, _ in reading.pointers))):
        message = "thread-private data is supported only in `omp for` loops, not in `omp single` or `omp sections`"
        raise outside(span, message)
    if pointer.array.is_constant or pointer.array.name in state.sealed:
        raise outside(span, f"assignment to constant `{pointer.array.label}`")


def _is_race(state: ReaderState, pointer: PointerView, value: Tree, nest: Context) -> bool:
    """Returns True if every thread of a region certainly writes one shared cell, without a lock."""
    is_inner = any(isinstance(part, KernelLoop) and part.kind is LoopKind.PARALLEL for part in nest.date)
    is_private = pointer.array.name in state.per_thread or nest.mutex is not None
    if is_private or is_inner or is_lazy(value) or limits_teams(state.source.text):
        return False
    return not domain_of(state, nest).is_empty()


def store(state: ReaderState, pointer: PointerView, value: Tree, nest: Context, span: Span) -> None:
    """Assigns a value that reads nothing."""
    emit(state, pointer, value, StatementReads(state, nest, Existentials()), nest, span)


def _append(state: ReaderState, statement: KernelStatement) -> KernelStatement:
    if len(state.statements) >= _MOST_STATEMENTS:
        raise outside(statement.span, f"the function has more than {_MOST_STATEMENTS} statements after inlining")
    state.statements.append(replace(statement, name=f"S{len(state.statements)}"))
    return state.statements[-1]


def _is_of_each_thread(
    state: ReaderState, pointer: PointerView, value: Tree, reading: StatementReads, nest: Context
) -> bool:
    """Returns True if every thread of a region may execute this statement: it initialises thread-private data from
    constants, or merges private data under a lock into a shared cell."""
    pointers = [other_pointer for other_pointer, _ in reading.pointers]
    owned = [
        position for position, other_pointer in enumerate(pointers) if other_pointer.array.name in state.per_thread
    ]
    if pointer.array.name in state.per_thread:
        return not pointers
    is_pair = nest.mutex is not None and len(pointers) == 2 and pointer in pointers and len(owned) == 1
    return is_pair and is_merge(value, pointers.index(pointer), owned[0])


def end_team(state: ReaderState, team: ParallelRegion) -> None:
    """Ends a parallel region: adds its barriers, and the accumulations of its threads, to the model."""
    inside = with_barriers(team, state.statements[team.first :])
    state.statements[team.first :] = inside
    for reduction in collected_reductions(team, inside, partial(_where, state)):
        if reduction.shared:
            starts = tuple(_append(state, start) for start in reduction.starts)
            merges = tuple(_append(state, merge) for merge in reduction.merges)
            reduction = replace(reduction, starts=starts, merges=merges)
        state.collected.append(reduction)


def _annotation(state: ReaderState, nest: Context, span: Span, asides: Existentials) -> Annotation | None:
    """Returns the annotation of the line over its names, with the calls that lead to it; quotients become
    existentials."""
    annotation = state.annotation_at(span)
    if annotation is None or annotation.is_call or nest.called is None:
        return None
    quotients: dict[str, Affine] = {}
    for floor in annotation.floors:
        dividend = _over_iterators(nest, quotients, floor.affine)
        if dividend is None:
            return None
        quotients[floor.name] = Affine.name(quotient(state, dividend, floor.denominator, asides))
    point, body = (_point(nest, quotients, stated) for stated in (annotation.point, annotation.body))
    if point is None or body is None:
        return None
    before = tuple(coordinate for call in nest.called for coordinate in call.point)
    variable = ".".join([*(call.variable for call in nest.called), annotation.variable])
    return Annotation(variable, (*before, *point), (*before, *body) if body else ())


def called_as(state: ReaderState, nest: Context, span: Span, definition: c.Function) -> tuple[Annotation, ...] | None:
    """Returns the annotations of the calls that lead into a function, including the call at hand."""
    if nest.called is None or state.span(definition).source is span.source:
        return nest.called
    annotation = state.annotation_at(span)
    if annotation is None or not annotation.is_call or annotation.floors:
        return None
    point = _point(nest, {}, annotation.point)
    return None if point is None else (*nest.called, Annotation(annotation.variable, point, is_call=True))


def domain_of(state: ReaderState, nest: Context) -> Domain:
    return _where(state, nest.iterators, nest.conditions)


def is_certain(state: ReaderState, nest: Context, test: c.Expression) -> bool:
    """Returns True if a condition holds wherever the context does. Raises NoIndex, as `condition` does."""
    asides = Existentials()
    fails = condition(state, nest, test, asides, is_wanted=False)
    return domain_of(state, asides.added(nest).where(fails)).is_empty()


def _where(state: ReaderState, iterators: Sequence[str], conditions: Sequence[Condition]) -> Domain:
    space = Space(state.context.space.parameters, tuple(iterators))
    domain = Domain.universe(space).in_context(state.context)
    for condition_ in conditions:
        domain = domain & Domain.where(space, *condition_)
    return domain


def is_executed_at_once(state: ReaderState, nest: Context) -> bool:
    """Returns True if two threads may execute a place at the same time, for small parameters."""
    loops = [part for part in nest.date if isinstance(part, KernelLoop) and part.kind is not LoopKind.SEQUENTIAL]
    if nest.mutex is not None or limits_threads(state.source.text):
        return False
    if len(loops) != 1 or loops[0].kind is not LoopKind.PARALLEL:
        return not loops and nest.is_every_thread
    domain, before = domain_of(state, nest), nest.iterators.index(loops[0].iterator)
    for size in range(1, _LARGEST + 1 if domain.is_bounded() else 0):
        values: dict[tuple[int, ...], int] = {}
        for point in domain.points(dict.fromkeys(state.context.space.parameters, size)):
            if values.setdefault(point[:before], point[before]) != point[before]:
                return True
    return False


def dividends(state: ReaderState) -> tuple[NonNegativeValue, ...]:
    """Returns all dividends of the text, which must be shown non-negative."""
    dividends_ = []
    for dividend in state.divided:
        for leaf in leaves(dividend.value):
            value, domain = affine(leaf), _where(state, dividend.iterators, dividend.conditions)
            if value is None and _has_no_negative_part(leaf, domain):
                continue
            if value is None:
                message = (
                    _UNSIGNED if dividend.is_unsigned else "the dividend is not affine in iterators and parameters"
                )
                raise outside(dividend.span, *(dividend.otherwise or (message,)))
            is_kept = domain.is_subset(Domain.where(domain.space, [Constraint(value)]))
            if dividend.otherwise is not None and not is_kept:
                raise outside(dividend.span, *dividend.otherwise)
            if not (is_kept and dividend.is_unsigned) and dividend.otherwise is None:
                dividends_.append(NonNegativeValue(domain, value, dividend.span, dividend.is_unsigned))
    return tuple(dividends_)


def _has_no_negative_part(value: Polynomial, domain: Domain) -> bool:
    """Returns True if a polynomial has no negative coefficient, and its names no negative value in a domain."""
    names = {*domain.space.parameters, *domain.space.names}
    return all(coefficient > 0 for _, coefficient in value.terms) and all(
        name in names and domain.is_subset(Domain.where(domain.space, [Constraint(Affine.name(name))]))
        for name in value.names
    )


def _reductions(
    state: ReaderState, pointer: PointerView, value: Tree, reading: StatementReads, nest: Context, span: Span
) -> tuple[KernelLoop, ...]:
    """Returns the loops whose reduction clauses name the target. Raises Rejected if the statement does not combine
    with it."""
    reductions: tuple[KernelLoop, ...] = ()
    for array, operator, loops in nest.reductions:
        own = [position for position, (other, _) in enumerate(reading.pointers) if other.array is array]
        if not own and pointer.array is not array:
            continue
        used = [read for read in reads_in(value) if read.number in own]
        is_one = pointer.array is array and len(used) == 1 and reading.pointers[used[0].number][0] == pointer
        if not is_one or not _combines(value, used[0], operator):
            raise outside(span, f"`{array.label}` is an accumulator of `reduction(..)`, but is used otherwise here")
        reductions += loops
    return reductions


def fill(state: ReaderState, pointer: PointerView, nest: Context, span: Span, value: Tree | None = None) -> None:
    """Assigns zero, element by element, or another value that reads nothing."""
    extents = pointer.extents
    if (limit := pointer.array.limit) is not None:
        # In a statement it is an existential name, decided by the other names.
        name = state.fresh(limit.name)
        cases = tuple(tuple(constraint.rename({limit.name: name}) for constraint in case) for case in limit.condition)
        nest = Existentials(iterators=[name], conditions=[cases]).added(nest)
        extents = tuple(polynomial_of(name) if extent == polynomial_of(limit.name) else extent for extent in extents)
    packed = pointer.array.packed
    if packed is not None and not pointer.array.is_argument and pointer.offset == Polynomial():
        inside, target = _over_triangle(state, pointer.array, packed, nest, span)
    else:
        inside, (target,) = _over_elements(state, (pointer,), extents, nest, span)
    store(state, target, LiteralValue(_ZERO, pointer.array.type) if value is None else value, inside, span)


def _over_elements(
    state: ReaderState, pointers: Sequence[PointerView], extents: Sequence[Polynomial | None], nest: Context, span: Span
) -> tuple[Context, Sequence[PointerView]]:
    """Returns a nest of loops over all elements, and the element of each array."""
    for extent in extents:
        if extent is None or (bound := affine(extent)) is None:
            raise outside(span, "the extents of this array are not affine in the parameters")
        name = state.fresh("e")
        from_zero = ((Constraint(Affine.name(name)), Constraint(bound - Affine.name(name) - 1)),)
        nest = nest.inside(KernelLoop(name, 1, LoopKind.SEQUENTIAL, span), from_zero)
        pointers = [element(pointer, polynomial_of(name)) for pointer in pointers]
    return nest, pointers


def _over_triangle(
    state: ReaderState, array: KernelArray, packed: PackedArray, nest: Context, span: Span
) -> tuple[Context, PointerView]:
    """Returns a nest of loops over all elements of a packed array of the text, and the element."""
    over_rows, over_columns = state.fresh("e"), state.fresh("e")
    row, column = Affine.name(over_rows), Affine.name(over_columns)
    rows = (Constraint(row), Constraint(packed.extents[0] - row - 1))
    nest = nest.inside(KernelLoop(over_rows, 1, LoopKind.SEQUENTIAL, span), (rows,))
    columns = (Constraint(column), Constraint(row - column))
    nest = nest.inside(KernelLoop(over_columns, 1, LoopKind.SEQUENTIAL, span), (columns,))
    position = packed.rank.replaced({packed.slow: row, packed.fast: column})
    return nest, PointerView(array, (), (), position)


def copy(state: ReaderState, arguments: Sequence[c.Expression], nest: Context, span: Span) -> None:
    """Reads `memcpy`, element by element."""
    check_size(state, nest, arguments[2], span)
    asides = Existentials()
    arrays = [_array_at(state, argument, nest, asides) for argument in arguments[:2]]
    nest = asides.added(nest)
    (target, extents), (source, others) = (_part(state, nest, arguments[2], array, span) for array in arrays)
    if extents != others or target.array.type != source.array.type or target.array is source.array:
        raise outside(span, "source and target of this copy must be different arrays of the same type and shape")
    inside, (target, source) = _over_elements(state, (target, source), extents, nest, span)
    reading = StatementReads(state, inside, Existentials())
    before = len(state.statements)
    emit(state, target, reading.read(source, span), reading, inside, span)
    state.statements[before:] = [replace(statement, copies_bytes=True) for statement in state.statements[before:]]


def _part(
    state: ReaderState, nest: Context, size: c.Expression, pointer: PointerView, span: Span
) -> tuple[PointerView, tuple[Polynomial, ...]]:
    """Returns the region of a copy, that of one element as the element."""
    region, extents = part(state, nest, size, pointer, span)
    return (element(region, constant_polynomial(0)), ()) if extents == (constant_polynomial(1),) else (region, extents)


def clear(state: ReaderState, arguments: Sequence[c.Expression], nest: Context, span: Span) -> None:
    if arguments[1] != c.ZERO:
        raise outside(span, "`memset` is supported with the value 0 only")
    check_size(state, nest, arguments[2], span)
    asides = Existentials()
    target, extents = part(state, nest, arguments[2], _array_at(state, arguments[0], nest, asides), span)
    nest = asides.added(nest)
    inside, (target,) = _over_elements(state, (target,), extents, nest, span)
    store(state, target, LiteralValue(_ZERO, target.array.type), inside, span)


def _array_at(state: ReaderState, node: c.Expression, nest: Context, asides: Existentials) -> PointerView:
    pointer = view(state, nest, node, asides)
    if pointer is None:
        raise outside(state.span(node), "cannot tell which array this expression points to")
    return pointer


def _point(nest: Context, quotients: Mapping[str, Affine], stated: Sequence[Affine]) -> tuple[Affine, ...] | None:
    """Returns the coordinates over iterators and parameters; None if one of them uses another name."""
    coordinates = [_over_iterators(nest, quotients, coordinate) for coordinate in stated]
    known = tuple(coordinate for coordinate in coordinates if coordinate is not None)
    return known if len(known) == len(coordinates) else None


def _over_iterators(nest: Context, quotients: Mapping[str, Affine], stated: Affine) -> Affine | None:
    """Returns an expression over the names of the text as one over iterators and parameters; any name may denote a
    lane."""
    renamed = Affine(constant=stated.constant)
    for name, factor in stated.terms:
        if name in quotients:
            renamed = renamed + quotients[name] * factor
            continue
        meaning = nest.names.get(name)
        lane = nest.lane[0] if meaning is None and nest.lane is not None else None
        value = meaning.value if isinstance(meaning, NamedInteger) else lane
        own = affine(value) if isinstance(value, Polynomial) else None
        if own is None:
            return None
        renamed = renamed + own * factor
    return renamed


def _combines(value: Tree, own: ReadValue, operator: str) -> bool:
    """Returns True if the value is `own` combined with another value by the operator."""
    match value:
        case ReadValue():
            return value == own
        case OperationValue(own_operator, operands) if own_operator == operator:
            return any(_combines(operand, own, operator) for operand in operands)
        case OperationValue("-", (left, _)) if operator == "+":
            return _combines(left, own, operator)
    return False
