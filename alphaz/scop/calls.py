"""Calls: functions of the file are inlined at their calls; some library functions have a known meaning."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

from alphaz.c import tree as c
from alphaz.c.cuda_preparation import is_device
from alphaz.c.walk import nodes
from alphaz.diagnostics import Span
from alphaz.model.types import ScalarType
from alphaz.scop.assigned_integers import followed_integers
from alphaz.scop.assignments import assign, assign_lanes, called_as, clear, copy, is_certain, local
from alphaz.scop.block_barriers import BARRIER, WARP_BARRIER, wait, wait_for_lanes
from alphaz.scop.c_model import RESULT, KernelLoop, StreamOrder
from alphaz.scop.copy_groups import read_copy_call
from alphaz.scop.device_memory import DIRECTIONS, is_wait
from alphaz.scop.device_vectors import ALIGNED
from alphaz.scop.file_scope import used_names
from alphaz.scop.ignored_calls import has_harmless_arguments, is_asserted, is_hint, is_report, is_setting, only_reports
from alphaz.scop.index_expressions import index, known_number
from alphaz.scop.index_polynomials import constant_polynomial
from alphaz.scop.integer_widths import check_constant, note_width
from alphaz.scop.intrinsic_calls import (
    check_vector,
    has_vectors,
    integers_in,
    is_address_never_taken,
    is_only_read,
    loaded,
    partly_loaded,
    stores_elsewhere,
    storing,
)
from alphaz.scop.intrinsics import LaneVector
from alphaz.scop.lane_exchanges import is_full
from alphaz.scop.lvalues import flat, view, whole_view
from alphaz.scop.pointer_checks import check_inside
from alphaz.scop.pointer_tables import is_table, passes_both, releases
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState, stays_positive
from alphaz.scop.scope import ArrayTable, Context, Meaning, NamedInteger, PointerView, ReturnStatus, Undefined
from alphaz.scop.several_streams import OPERATION, UNORDERED
from alphaz.scop.shapes import declared_extents
from alphaz.scop.tree_queries import (
    assigned,
    base,
    body_of,
    element_type,
    has_unknown_element_type,
    is_simple,
    is_wide_integer,
    last_statement,
    name_of,
    scalar_type,
    writes_elsewhere,
)
from alphaz.scop.unsupported import outside

_DEEPEST = 8


def inline(state: ReaderState, body: tuple[c.Statement, ...], nest: Context, items: Sequence[c.Statement] = ()) -> None:
    """Reads the body of a function, or `items` instead of it."""
    around = state.changed, state.body, state.followed
    state.changed, state.body = assigned(body), body
    state.followed = followed_integers(body, nest.names) - {name for where, name in state.data if where == id(body)}
    state.read_block(state, items or body, nest, not items)
    state.changed, state.body, state.followed = around


def _free(state: ReaderState, argument: c.Expression, nest: Context, span: Span) -> None:
    """Marks memory as released: it may not be used afterwards, nor in another iteration."""
    meaning = nest.meaning(argument)
    is_start = isinstance(meaning, PointerView) and meaning.is_start and meaning.array.name in state.allocated
    if not isinstance(meaning, PointerView) or not is_start or meaning.array.name in state.released:
        raise outside(span, "cannot release this: expected the start of an allocated array")
    loops = {part.iterator for part in nest.date if isinstance(part, KernelLoop)}
    if not loops <= {*meaning.array.prefix}:
        raise outside(span, f"`{meaning.array.label}` is released in a loop that does not allocate it")
    if state.allocated[meaning.array.name] != (nest.region is not None, nest.working is not None):
        raise outside(span, f"`{meaning.array.label}` is released by other threads than those that allocated it")
    state.released.add(meaning.array.name)


def read_call(state: ReaderState, call: c.Call, nest: Context) -> None:
    """Reads a call that is a statement."""
    span, name, arguments = state.span(call), name_of(call), call.arguments
    is_said = is_report(call) or (is_setting(call) and name not in state.functions.defined)
    if is_hint(call) or is_wait(call) or is_said:
        _read_named(state, arguments if is_said else (), nest)
        return
    if name in (OPERATION, UNORDERED):
        _read_order(state, name, arguments, span)
    elif name == ALIGNED:
        check_vector(state, call, nest)
    elif name == BARRIER and not arguments:
        wait(state, call, nest)
    elif name == WARP_BARRIER and (not arguments or is_full(state, arguments[0], nest)):
        wait_for_lanes(state, call, nest)
    elif is_asserted(name, arguments):
        _read_named(state, arguments, nest)
        _asserted(state, arguments[0], nest, span)
    elif (
        releases(state, name, arguments, nest, span)
        or _of_memory(state, name, arguments, nest, span)
        or read_copy_call(state, call, nest)
    ):
        return
    elif (target := storing(state, nest, call)) is not None:
        assign_lanes(state, target, call, called_before(state, call, nest), span)
    else:
        _call_of_file(state, call, nest)


def _read_order(state: ReaderState, name: str, arguments: Sequence[c.Expression], span: Span) -> None:
    """Reads the number of an operation of a stream, or the pairs that nothing orders."""
    numbers = [int(argument.text) for argument in arguments if isinstance(argument, c.Literal)]
    if name == OPERATION:
        (state.operation,) = numbers
        return
    if state.streams is not None or state.statements:
        raise outside(span, "a function with several streams is supported if no other function of the file calls it")
    first, *operations = numbers
    pairs = frozenset(zip(operations[::2], operations[1::2], strict=True))
    state.streams = StreamOrder(pairs, is_certain=first == 1)


def _read_named(state: ReaderState, values: Sequence[c.Expression], nest: Context) -> None:
    """Reads the scalars that a report names, which must have values. Raises Rejected for an integer without one."""
    for node in nodes(values, c.Name):
        match nest.names.get(node.name):
            case Undefined():
                message = f"`{node.name}` has no known value here"
                raise outside(state.span(node), message, "assign it before this use")
            case PointerView(array, ()) if not array.is_argument:
                own = local(state, node.name, array.type, (), nest, state.span(node))
                assign(state, own, node, nest, state.span(node))


def _call_of_file(state: ReaderState, call: c.Call, nest: Context) -> None:
    """Reads a call of a function of the file."""
    span, name, arguments = state.span(call), name_of(call), call.arguments
    definition = state.functions.defined.get(name)
    if definition is None or nest.depth >= _DEEPEST:
        remedy = "expected a non-recursive function of this file, or a report of named scalars"
        raise outside(span, f"cannot interpret the call of `{name}`: {remedy}")
    if not only_reports(definition):
        enter(state, definition, arguments, nest, span)
        return
    if not has_harmless_arguments(state.functions, definition, arguments):
        raise outside(span, "arguments of a reporting function must be named scalars or strings")
    _read_named(state, arguments, nest)
    for argument in arguments:
        if isinstance(argument, c.Call):
            read_call(state, argument, nest)
        elif (pointer := whole_view(state, nest, argument)) is not None:
            check_inside(state, nest, pointer, span)


def _of_memory(state: ReaderState, name: str, arguments: tuple[c.Expression, ...], nest: Context, span: Span) -> bool:
    """Reads a library call that works on memory; returns False for any other call."""
    match name, len(arguments):
        case "free" | "cudaFree", 1:
            _free(state, arguments[0], nest, span)
        case "cudaMemcpy", 4:
            _move(state, arguments, nest, span)
        case "cudaMemsetAsync", 4 if known_number(state, nest, arguments[3]) == 0:
            return _of_memory(state, "cudaMemset", arguments[:3], nest, span)
        case "cudaMemset", 3:
            state.copied = (True, True)
            clear(state, arguments, nest, span)
            state.copied = None
        case "memcpy" | "memmove", 3:
            copy(state, arguments, nest, span)
        case "memset", 3:
            clear(state, arguments, nest, span)
        case _:
            return False
    return True


def _move(state: ReaderState, arguments: Sequence[c.Expression], nest: Context, span: Span) -> None:
    """Reads a copy between the memories of host and GPU."""
    direction = DIRECTIONS.get(name_of(arguments[3])) if isinstance(arguments[3], c.Name) else None
    if direction is None or nest.block is not None:
        raise outside(span, "this copy is not supported: state its direction, such as `cudaMemcpyHostToDevice`")
    state.assume("copies between the memories of host and GPU succeed")
    state.copied = direction
    copy(state, arguments[:3], nest, span)
    state.copied = None


def _asserted(state: ReaderState, test: c.Expression, nest: Context, span: Span) -> None:
    """Proves the asserted condition, or records it as an assumption."""
    with suppress(NoIndex):
        if is_certain(state, nest, test):
            return
    state.assumed.append(f"the assertion in line {span.position[0]} holds")


def enter(
    state: ReaderState, definition: c.Function, arguments: Sequence[c.Expression], nest: Context, span: Span,
    items: Sequence[c.Statement] = (), results: Mapping[str, Meaning] = MappingProxyType({}),
    within: Context | None = None,
) -> None:  # fmt: skip
    """Inlines the body of a function at its call, or `items` instead, which may use its results. `within`: the context
    that executes the body, if it is another than that of the arguments."""
    parameters, body = definition.parameters, body_of(definition)
    if len(parameters) != len(arguments):
        raise outside(span, "the call has another number of arguments than the function")
    names: dict[str, Meaning] = {}
    inside = replace(within or nest, depth=nest.depth + 1, called=called_as(state, nest, span, definition))
    asides = Existentials()
    for position, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
        vector = state.functions.vector(base(parameter.type))
        if vector is None:
            names[parameter.name] = _passed(state, parameter, argument, nest.at(-1, position), names, asides)
        else:
            names[parameter.name] = _vector_passed(state, parameter, argument, nest.at(-1, position), vector, body)
    if asides.iterators and within is not None:
        raise outside(span, "the pointers of this launch depend on a quotient")
    inside = asides.added(inside)
    if within is not None:
        # Copies of numbers are a kernel's own.
        state.of_kernels |= {
            meaning.array.name
            for parameter in parameters
            if is_simple(parameter.type) and isinstance(meaning := names[parameter.name], PointerView)
        }
    if passes_both(state, names):
        raise outside(span, "a table and an array of its entries cannot both be passed")
    if _breaks_promise(parameters, names):
        raise outside(span, "the same array is passed twice, although the parameter is `restrict`")
    if _is_called_otherwise(state, definition, parameters, names):
        raise outside(span, "the function also accesses this `restrict` argument under its global name")
    inside = replace(inside, names={**state.around, **names, **results})
    if assigned(body) & {name for name, meaning in names.items() if not isinstance(meaning, PointerView)}:
        raise outside(span, "the called function assigns to its parameter: use a local variable instead")
    inline(state, body, inside.at(0), items)


def succeed(state: ReaderState, call: c.Expression | None, nest: Context) -> None:
    """Reads a call of a function that returns a status code: it succeeds. Raises Rejected where this cannot be
    shown."""
    assert isinstance(call, c.Call)
    definition, span = state.functions.called(call), state.span(call)
    assert definition is not None
    if nest.depth >= _DEEPEST:
        raise outside(span, f"`{definition.name}` is recursive, or calls are nested too deeply")
    if not isinstance(last_statement(definition), c.Return):
        message = "this function may end without returning a status code: return 0 on success"
        raise outside(state.span(definition), message)
    enter(state, definition, call.arguments, nest, span, results={RESULT: ReturnStatus()})


def called_before(state: ReaderState, value: c.Expression, nest: Context) -> Context:
    """Executes functions with loops in a value before the value, as they have no other effect; their results are
    stored in variables. Returns the context of the value after them."""
    parts = partly_loaded(state.functions, value)
    every = nodes(value, c.Call)
    calls = [call for call in every if _is_more_than_a_value(state, call) or any(call is one for one in parts)]
    if isinstance(value, c.Call) and _is_of_device(state, value) and all(value is not call for call in calls):
        calls = [value, *calls]
    for call in parts:
        state.results.pop(id(call), None)
    if nest.is_every_thread:
        return nest
    for position, call in enumerate(reversed(calls)):
        is_load = any(call is part for part in parts)
        here = nest.at(0, position)
        state.results[id(call)] = (
            _loaded(state, call, here) if is_load else _result(state, call, here, is_alone=call is value)
        )
    return nest.at(1) if calls else nest


def _loaded(state: ReaderState, call: c.Call, nest: Context) -> PointerView:
    """Adds a separate load of a vector that is loaded as a whole; returns its target."""
    vector, span = loaded(state, nest, call), state.span(call)
    pointer = local(state, "loaded", vector.type, (constant_polynomial(vector.lanes),), nest, span, is_vector=True)
    assign_lanes(state, pointer, call, nest, span)
    return pointer


def _is_of_device(state: ReaderState, call: c.Call) -> bool:
    """Returns True for a function of a GPU that is no single value."""
    definition = state.functions.called(call)
    return definition is not None and is_device(definition.qualifiers) and len(body_of(definition)) > 1


def _result(state: ReaderState, call: c.Call, nest: Context, *, is_alone: bool) -> PointerView:
    """Executes a function; returns the variable with its result. A function of a GPU whose result is the whole value
    (`is_alone`) may change other objects."""
    definition, span = state.functions.called(call), state.span(call)
    assert definition is not None
    vector, last = state.functions.vector(definition.type), last_statement(definition)
    type_ = scalar_type(definition.type) if vector is None else vector.type
    may_change = is_alone and is_device(definition.qualifiers)
    is_value = may_change or _only_returns(state, definition, 0)
    returned = last.value if isinstance(last, c.Return) and is_value else None
    if type_ is None or has_unknown_element_type(definition.type) or last is None or returned is None:
        raise outside(span, "cannot interpret the result of this function: expected one `return` at its end")
    extents = () if vector is None else (constant_polynomial(vector.lanes),)
    result = local(state, definition.name, type_, extents, nest, span, is_vector=True)
    name = state.fresh("result")
    items = (*body_of(definition)[:-1], c.Assign(c.Name(name, at=call.at), returned, at=last.at))
    enter(state, definition, call.arguments, nest, span, items, {name: result})
    return result


def _changes_more(state: ReaderState, definition: c.Function) -> bool:
    """Returns True if a function assigns to a variable that is not its own, or to a name that is known at file
    scope."""
    body = body_of(definition)
    is_elsewhere = stores_elsewhere(state.functions, body) or writes_elsewhere(definition)
    return is_elsewhere or not assigned(body).isdisjoint(state.around)


def _is_more_than_a_value(state: ReaderState, call: c.Call) -> bool:
    """Returns True if a function has loops or vectors, or reads what pointers point to, so that its result is not a
    single expression of its arguments."""
    definition = state.functions.called(call)
    if definition is None:
        return False
    has_pointers = not all(is_simple(parameter.type) for parameter in definition.parameters)
    return has_pointers or bool(nodes(definition.body, c.For)) or has_vectors(state.functions, definition)


def _only_returns(state: ReaderState, definition: c.Function, depth: int) -> bool:
    """Returns True if a function has no effect that its caller can see, except the returned value."""
    calls = nodes(definition.body, c.Call)
    names = {*map(name_of, calls)} - {"", "INT64_C"}
    definitions = state.functions.defined
    return (
        depth < _DEEPEST
        and not _changes_more(state, definition)
        and not names & {"memcpy", "memmove", "memset", "free"}
        and all(_only_returns(state, definitions[name], depth + 1) for name in names & definitions.keys())
    )


def _passed(
    state: ReaderState,
    parameter: c.Parameter,
    argument: c.Expression,
    nest: Context,
    names: dict[str, Meaning],
    asides: Existentials,
) -> Meaning:
    """Returns the meaning of a parameter; the side conditions of a pointer are added to `asides`."""
    span = state.span(argument)
    table = nest.meaning(argument)
    if isinstance(table, ArrayTable) and is_table(parameter.type) and table not in names.values():
        return table
    type_ = element_type(parameter.type)
    if type_ is None or isinstance(table, ArrayTable):
        raise outside(span, "this parameter has an unsupported type (expected a C integer, `float` or `double`)")
    if is_simple(parameter.type):
        return _scalar_passed(state, parameter.name, argument, nest, type_)
    match argument:
        case c.Unary("&", c.Name(name)) if isinstance(meaning := nest.names.get(name), ReturnStatus):
            return meaning
    own = asides.beside()
    target = view(state, nest, argument, own)
    if target is None:
        raise outside(span, "cannot tell which array this argument points to")
    if target.array.type != type_:
        raise outside(span, "the argument points to another type than the parameter")
    check_inside(state, own.added(nest), target, span)
    asides.take(own)
    extents = declared_extents(state, replace(nest, names=names), parameter.type, state.span(parameter))
    if extents[1:] == target.extents[1:] and (target.offset is None or len(extents) == len(target.extents)):
        shape = extents if target.offset is not None else target.extents
        return PointerView(target.array, shape, target.lead, target.offset, is_pointer=True)
    return PointerView(target.array, (None, *extents[1:]), (), flat(target), is_pointer=True)


def _scalar_passed(
    state: ReaderState, name: str, argument: c.Expression, nest: Context, type_: ScalarType
) -> NamedInteger | PointerView:
    """Returns the meaning of a scalar parameter: an index, or a variable with the argument."""
    span, asides = state.span(argument), Existentials()
    with suppress(NoIndex):
        value = index(state, nest, argument, asides)
        if is_wide_integer(type_) and not asides.iterators:
            check_constant(state, argument, value, type_)
            note_width(state, type_)
            if not type_.signed:
                stays_positive(state, nest, value, asides, span)
            return NamedInteger(value, type_)
    pointer = local(state, name, type_, (), nest, span)
    assign(state, pointer, argument, nest, span)
    return pointer


def _vector_passed(
    state: ReaderState, parameter: c.Parameter, argument: c.Expression, nest: Context, vector: LaneVector,
    body: tuple[c.Statement, ...],
) -> Meaning:  # fmt: skip
    """Returns the meaning of a parameter that is a vector, or a pointer to vectors.

    A vector that never changes in the function denotes the passed one, if nothing can change that during the call.
    """
    span = state.span(argument)
    if has_unknown_element_type(base(parameter.type)):
        vector = integers_in(state, nest, parameter, body, vector.bytes * 8)
    lanes = constant_polynomial(vector.lanes)
    if is_simple(parameter.type):
        meaning = nest.meaning(argument)
        if isinstance(argument, c.Name) and isinstance(meaning, PointerView):
            is_vector = (meaning.array.type, meaning.extents) == (vector.type, (lanes,))
            is_kept = is_only_read(body, parameter.name) and is_address_never_taken(state.body, argument.name)
            if is_vector and is_kept:
                return meaning
        pointer = local(state, parameter.name, vector.type, (lanes,), nest, span, is_vector=True)
        assign_lanes(state, pointer, argument, nest, span)
        return pointer
    target = whole_view(state, nest, argument)
    if target is None or (target.extents[1:], target.array.type) != ((lanes,), vector.type):
        raise outside(span, "cannot tell which array this argument points to")
    return replace(target, is_pointer=True)


def _breaks_promise(parameters: Sequence[c.Parameter], names: dict[str, Meaning]) -> bool:
    """Returns True if an array is passed twice and may be written through one name, although another one is
    `restrict`."""
    arrays: dict[str, list[c.Pointer | c.Array]] = {}
    for parameter in parameters:
        meaning = names[parameter.name]
        if isinstance(meaning, PointerView) and isinstance(parameter.type, c.Pointer | c.Array):
            arrays.setdefault(meaning.array.name, []).append(parameter.type)
    shared = [types for types in arrays.values() if len(types) > 1]
    return any(
        any(type_.restrict for type_ in types) and not all(base(type_).const for type_ in types) for types in shared
    )


def _is_called_otherwise(
    state: ReaderState, definition: c.Function, parameters: Sequence[c.Parameter], names: dict[str, Meaning]
) -> bool:
    """Returns True if an array of file scope is passed as a `restrict` argument and the function also uses its own
    name."""
    used = used_names(state.functions, definition)
    arrays = {id(m.array) for name, m in state.around.items() if isinstance(m, PointerView) and name in used}
    alone = [
        parameter.name
        for parameter in parameters
        if isinstance(parameter.type, c.Pointer | c.Array) and parameter.type.restrict
    ]
    return any(isinstance(m := names[name], PointerView) and id(m.array) in arrays for name in alone)
