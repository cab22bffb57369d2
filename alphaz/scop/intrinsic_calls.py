"""Calls of vector intrinsics: one lane of the returned or stored vector, by the table of `intrinsics`."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Span
from alphaz.model.types import INT, LONG, ScalarType
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import CKernel
from alphaz.scop.conversions import converted, type_of
from alphaz.scop.functions import Functions
from alphaz.scop.index_expressions import index, quotient
from alphaz.scop.index_polynomials import affine, constant_polynomial, number, polynomial_of
from alphaz.scop.intrinsic_lanes import NoLane, lane_of
from alphaz.scop.intrinsics import TYPES, Intrinsic, LaneConstant, LaneOperand, LaneVector
from alphaz.scop.lvalues import element, flat, view
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, PointerView
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.tree_queries import Trees, addressed, base, is_of_header, is_void, targets
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import Tree

ValueOf = Callable[[StatementReads, c.Expression, Context], Tree]
_SEVERAL = "s"
_SHUFFLES = {"_MM_SHUFFLE": (6, 4, 2, 0), "_MM_SHUFFLE2": (1, 0)}


def lane_value(reading: StatementReads, node: c.Call, nest: Context, value_of: ValueOf) -> Tree:
    """Returns the current lane of an intrinsic's result or stored vector; or its scalar result."""
    state = reading.state
    if (result_pointer := state.results.get(id(node))) is not None:
        return reading.read(result_pointer, state.span(node), nest.lane)
    intrinsic = _intrinsic_for(state, node, nest)
    _check_parts(state, node, nest)
    lane_arguments = _arguments_of(state, node, intrinsic)
    masks = [name for name, kind in intrinsic.parameters.items() if isinstance(kind, LaneConstant)]
    constants = {name: _constant(state, nest, lane_arguments[name][0]) for name in masks}
    if intrinsic.loose:
        note_loose(state, intrinsic.name, intrinsic.loose, state.span(node))

    def leaf(name: str, at: Polynomial) -> Tree:
        kind, arguments = intrinsic.parameters[name], lane_arguments[name]
        match kind:
            case LaneVector():
                return _operand(reading, arguments[0], nest, kind, at, value_of)
            case LaneOperand():
                place = _place(reading, arguments[0], nest, kind.type)
                span = state.span(node)
                _check_aligned(reading, nest, place, intrinsic, span)
                return reading.read(element(place, at), span)
        assert isinstance(kind, ScalarType)
        argument = arguments[number(at) or 0]
        converted_argument = converted(value_of(reading, argument, replace(nest, lane=None)), kind)
        if converted_argument is None:
            raise outside(state.span(argument), f"the value is converted to {kind}, which may change it")
        return converted_argument

    lane = nest.lane[0] if nest.lane is not None else Polynomial()
    try:
        value = lane_of(intrinsic, lane, leaf, constants)
    except NoLane:
        raise outside(state.span(node), "this constant selects a lane that does not exist") from None
    converted_value = converted(value, _result_type(intrinsic))
    assert converted_value is not None, intrinsic.name
    return converted_value


def partly_loaded(functions: Functions, value: Trees) -> list[c.Call]:
    """Returns the loads in a value whose lanes may not all be used, though the machine loads all of them."""
    across = [
        call
        for call in nodes(value, c.Call)
        if any(_is_across(intrinsic, call, ()) for intrinsic in functions.intrinsics(call))
    ]
    inside = {id(part): part for call in across for part in nodes(call.arguments, c.Call)}
    return [
        part for part in inside.values() if any(_reads(intrinsic, part) for intrinsic in functions.intrinsics(part))
    ]


def loaded(state: ReaderState, nest: Context, call: c.Call) -> LaneVector:
    """Returns the vector type of a load; the loaded elements choose among several."""
    first = state.functions.intrinsics(call)[0]
    if isinstance(first.result, LaneVector) and "p" not in first.parameters:
        return first.result
    array = pointed(StatementReads(state, nest, Existentials()), call.arguments[0], nest).array
    for intrinsic in state.functions.intrinsics(call):
        if isinstance(intrinsic.result, LaneVector) and intrinsic.parameters["p"] == LaneOperand(array.type):
            return intrinsic.result
    raise outside(state.span(call), f"loading elements of type {array.type} into this vector is not supported")


def _reads(intrinsic: Intrinsic, call: c.Call) -> bool:
    """Returns True if an intrinsic builds a vector from memory: loaded, or from scalars that are array elements."""
    if intrinsic.stored or not isinstance(intrinsic.result, LaneVector):
        return False
    is_number = any(isinstance(kind, ScalarType) for kind in intrinsic.parameters.values())
    return "p" in intrinsic.parameters or (is_number and bool(_elements(call)))


def _elements(call: c.Call) -> list[c.Index | c.Unary]:
    """Returns the elements of arrays in the arguments of a call."""
    parts = nodes(call.arguments, (c.Index, c.Unary))
    return [part for part in parts if isinstance(part, c.Index) or part.operator == "*"]


def _check_parts(state: ReaderState, node: c.Call, nest: Context) -> None:
    """Raises Rejected where lanes are selected from memory that may lie outside its array."""
    loads_ = partly_loaded(state.functions, node)
    hidden = {id(one) for load in loads_ for one in nodes(load, c.Node)}
    if any(id(load) not in state.results for load in loads_):
        message = "only some lanes of this load are used"
        raise outside(state.span(node), message, "load the vector into a variable first")
    is_across = any(_is_across(intrinsic, node, ()) for intrinsic in state.functions.intrinsics(node))
    for access in _elements(node) if is_across else ():
        if id(access) in hidden:
            continue
        pointer = view(state, replace(nest, lane=None), access, Existentials())
        constants = [] if pointer is None or pointer.offset is not None else [number(at) for at in pointer.lead]
        sizes = (
            [] if pointer is None else [number(size or constant_polynomial(0)) or 0 for size in pointer.array.extents]
        )
        if not constants or not all(
            at is not None and 0 <= at < size for at, size in zip(constants, sizes, strict=False)
        ):
            message = "only some lanes of this vector are used"
            raise outside(state.span(access), message, "copy the vector to a variable first")


def storing(state: ReaderState, nest: Context, node: c.Call) -> PointerView | None:
    """Returns the target of a storing intrinsic, as a vector; None for other calls."""
    candidates = [intrinsic for intrinsic in state.functions.intrinsics(node) if intrinsic.stored]
    if not candidates:
        return None
    span = state.span(node)
    reading = StatementReads(state, nest, Existentials())
    place = None
    for candidate in candidates:
        arguments = _arguments_of(state, node, candidate)
        (argument,) = arguments["p"]
        place = pointed(reading, argument, nest)
        kind = candidate.parameters["p"]
        if isinstance(kind, LaneOperand) and place.array.type == kind.type:
            _check_aligned(reading, nest, place, candidate, span)
            if reading.asides.iterators:
                raise outside(state.span(argument), "cannot tell which array this expression points to")
            return PointerView(place.array, (constant_polynomial(candidate.stored),), (), flat(place))
    assert place is not None
    raise outside(span, f"`{node.function}` cannot store to elements of type {place.array.type}")


def is_lanewise(functions: Functions, value: Trees) -> bool:
    """Returns True if each lane of a value is computed by the same operations on the operands, so that one symbolic
    lane suffices."""
    return all(intrinsic.is_lanewise for call in nodes(value, c.Call) for intrinsic in functions.intrinsics(call))


def is_across(functions: Functions) -> bool:
    """Returns True if an operation of the text works across lanes: lanes are then numbered, so that sums can be split.
    Otherwise one symbolic lane stands for all, and is proved once."""
    if not TYPES.keys() & functions.vectors.keys():
        return False
    bodies = [definition.body for definition in functions.defined.values()]
    declared = [node for body in bodies for node in nodes(body, c.Declare)]
    arrays = {variable.name for variable in declared if isinstance(variable.type, c.Array)}
    vectors = {variable.name for variable in declared if is_of_header(variable.type)}
    calls = (call for body in bodies for call in nodes(body, c.Call))
    parts = (node for body in bodies for node in nodes(body, (c.Index, c.Unary)))
    is_called = any(_is_across(intrinsic, call, arrays) for call in calls for intrinsic in functions.intrinsics(call))
    return is_called or any(_root(part) in vectors for part in parts) or any(_is_updated(functions, b) for b in bodies)


def _is_updated(functions: Functions, body: Trees) -> bool:
    """Returns True if a function keeps array elements in vectors, and stores them back."""
    stored, loaded = set[str](), set[str]()
    for call in nodes(body, c.Call):
        for intrinsic_ in functions.intrinsics(call) if call.arguments else ():
            if "p" in intrinsic_.parameters:
                (stored if intrinsic_.stored else loaded).add(_root(call.arguments[0]))
    return bool(stored & loaded)


def _is_across(intrinsic: Intrinsic, call: c.Call, arrays: Collection[str]) -> bool:
    if intrinsic.stored:
        return bool(call.arguments) and _root(call.arguments[0]) in arrays
    is_set = {*intrinsic.parameters} == {_SEVERAL}
    lane_counts = {
        kind.lanes for kind in (*intrinsic.parameters.values(), intrinsic.result) if isinstance(kind, LaneVector)
    }
    is_number = isinstance(intrinsic.result, ScalarType)
    return is_number or len(lane_counts) > 1 or not (intrinsic.is_lanewise or is_set)


def loads(functions: Functions, value: Trees) -> bool:
    """Returns True if a value contains elements of vectors in memory."""
    loading = (intrinsic for call in nodes(value, c.Call) for intrinsic in functions.intrinsics(call))
    return any(
        isinstance(kind, LaneOperand) and not intrinsic_.stored
        for intrinsic_ in loading
        for kind in intrinsic_.parameters.values()
    )


def stores_elsewhere(functions: Functions, body: Trees) -> bool:
    """Returns True if a function stores to an object other than its own arrays and scalars."""
    own = {node.name for node in nodes(body, c.Declare) if not isinstance(node.type, c.Pointer)}
    calls = (node for node in nodes(body, c.Call) if any(e.stored for e in functions.intrinsics(node)))
    return any(_root(call.arguments[0]) not in own for call in calls if call.arguments)


def is_only_read(body: Trees, name: str) -> bool:
    """Returns True if a function neither modifies a vector nor takes its address."""
    operands = [node.operand for node in nodes(body, c.Unary) if node.operator not in ("-", "+", "*")]
    return all(_root(target) != name for target in (*targets(body), *operands))


def is_address_never_taken(body: Trees, name: str) -> bool:
    """Returns True if a function never takes the address of a variable."""
    return all(_root(operand) != name for operand in addressed(body))


def _root(node: c.Expression) -> str:
    """Returns the name at the start of a pointer expression; none if its form is unclear."""
    match node:
        case c.Name(name):
            return name
        case c.Cast(_, inner) | c.Unary("&", inner) | c.Index(inner) | c.Binary("+", inner):
            return _root(inner)
    return ""


def has_vectors(functions: Functions, definition: c.Function) -> bool:
    """Returns True if a function takes, declares or returns vectors."""
    return any(functions.vector(type_) is not None for type_ in nodes(definition, c.Named))


def integers_in(state: ReaderState, nest: Context, item: c.Declare | c.Parameter, body: Trees, bits: int) -> LaneVector:
    """Returns the vector type of a variable whose type leaves it open (`__m256i`), from the intrinsics applied to it,
    or from its first load."""
    vector_types = {*_integer_vectors(state.functions, body, item.name)}
    value = item.value if isinstance(item, c.Declare) else None
    for call in [] if vector_types else nodes(value, c.Call):
        if any("p" in intrinsic.parameters for intrinsic in state.functions.intrinsics(call)) and call.arguments:
            type_ = pointed(StatementReads(state, nest, Existentials()), call.arguments[0], nest).array.type
            vector_types |= {LaneVector(type_, bits // type_.bits)} if type_ in (INT, LONG) else set()
    if len(vector_types) == 1:
        return vector_types.pop()
    message = f"cannot tell whether the lanes of `{item.name}` have 32 or 64 bits"
    raise outside(state.span(item), f"{message}: its intrinsics do not agree on one width")


def _integer_vectors(functions: Functions, body: Trees, name: str) -> Iterator[LaneVector]:
    for call in nodes(body, c.Call):
        candidates = functions.intrinsics(call)
        for kind, argument in (
            zip(candidates[0].parameters.values(), call.arguments, strict=False) if len(candidates) == 1 else ()
        ):
            if isinstance(kind, LaneVector) and _is_of(argument, name):
                yield kind
    assignments: list[tuple[c.Expression, c.Expression | None]] = []
    assignments += [(node.target, node.value) for node in nodes(body, (c.Assign, c.Set))]
    assignments += [(c.Name(node.name), node.value) for node in nodes(body, c.Declare)]
    for target, value in assignments:
        candidates = functions.intrinsics(value) if isinstance(value, c.Call) else ()
        if len(candidates) == 1 and _is_of(target, name) and isinstance(candidates[0].result, LaneVector):
            yield candidates[0].result


def _is_of(node: c.Expression, name: str) -> bool:
    while isinstance(node, c.Index):
        node = node.base
    return node == c.Name(name)


# --- calls ------------------------------------------------------------------------------------------------------------


def _intrinsic_for(state: ReaderState, node: c.Call, nest: Context) -> Intrinsic:
    """Returns the candidate intrinsic that yields the required number of lanes, or a scalar."""
    lanes = nest.lane[1] if nest.lane is not None else None
    for intrinsic in state.functions.intrinsics(node):
        result_lanes = intrinsic.stored or (
            intrinsic.result.lanes if isinstance(intrinsic.result, LaneVector) else None
        )
        if result_lanes is None or result_lanes == lanes:
            return intrinsic
    message = f"`{node.function}` returns another vector type than is needed here"
    raise outside(state.span(node), message, "use an explicit conversion intrinsic")


def _result_type(intrinsic: Intrinsic) -> ScalarType:
    match intrinsic.result:
        case LaneVector(type_, _):
            return type_
        case ScalarType() as type_:
            return type_
    place = intrinsic.parameters["p"]
    assert isinstance(place, LaneOperand)
    return place.type


def _arguments_of(state: ReaderState, node: c.Call, intrinsic: Intrinsic) -> Mapping[str, Sequence[c.Expression]]:
    """Returns the arguments, by parameter."""
    arguments, names = node.arguments, [*intrinsic.parameters]
    if _SEVERAL in names:
        assert isinstance(intrinsic.result, LaneVector)
        if len(arguments) == intrinsic.result.lanes:
            return {_SEVERAL: arguments}
    elif len(arguments) == len(names):
        return {name: [argument] for name, argument in zip(names, arguments, strict=True)}
    raise outside(state.span(node), f"`{intrinsic.name}` is called with a wrong number of arguments")


def _constant(state: ReaderState, nest: Context, node: c.Expression) -> int:
    match node:
        case c.Call(str(name), parts) if name in _SHUFFLES:
            shifts = _SHUFFLES[name]
            if len(parts) == len(shifts):
                values = (_constant(state, nest, part) for part in parts)
                return sum(value << by for value, by in zip(values, shifts, strict=True))
    try:
        constant_value = number(index(state, nest, node, Existentials()))
    except NoIndex:
        constant_value = None
    if constant_value is None or not 0 <= constant_value < 256:
        raise outside(state.span(node), "this operand must be a constant, because it selects lanes")
    return constant_value


def note_loose(state: ReaderState, name: str, loose: str, span: Span) -> None:
    """Records that a function deviates from its model."""
    state.loose.append((span, f"`{name}` {loose}"))
    state.assume(f"`{name}` {loose}: it is assumed to round after each operation, in some order")


def check_loose(kernel: CKernel, is_exact: bool) -> None:
    """Raises Rejected for the first operation that deviates from its model, if that matters."""
    for span, title in kernel.loose if is_exact else ():
        raise outside(span, f"{title}, which differs from the equations in rounding", "remove --exact")


# --- operands ---------------------------------------------------------------------------------------------------------


def _operand(
    reading: StatementReads, node: c.Expression, nest: Context, vector: LaneVector, lane: Polynomial, value_of: ValueOf
) -> Tree:
    value = value_of(reading, node, replace(nest, lane=(lane, vector.lanes)))
    if type_of(value) != vector.type:
        message = f"expected a vector of {vector.type}, found elements of type {type_of(value)}"
        raise outside(reading.state.span(node), message)
    return value


def _place(reading: StatementReads, node: c.Expression, nest: Context, type_: ScalarType) -> PointerView:
    pointer = pointed(reading, node, nest)
    if pointer.array.type != type_:
        message = f"expected elements of type {type_}, but this loads {pointer.array.type}"
        raise outside(reading.state.span(node), message)
    return pointer


def pointed(reading: StatementReads, node: c.Expression, nest: Context) -> PointerView:
    """Returns a pointer to elements, through any conversions: `(__m256i *)&a[i]`."""
    state = reading.state
    while isinstance(node, c.Cast) and isinstance(node.type, c.Pointer):
        elements = base(node.type)
        if not is_void(elements) and not is_of_header(elements):
            break
        node = node.operand
    pointer = view(state, replace(nest, lane=None), node, reading.asides)
    if pointer is None or len(pointer.extents) != 1:
        raise outside(state.span(node), "cannot tell which array this expression points to")
    return pointer


def check_vector(state: ReaderState, call: c.Call, nest: Context) -> None:
    """Checks the alignment of a vector in the memory of a GPU, at `aligned$(&a[i], 16)`."""
    node, bytes_ = call.arguments
    reading, span = StatementReads(state, nest, Existentials(depth=nest.depth)), state.span(call)
    place = view(state, nest, node, reading.asides)
    if place is None:
        raise outside(span, "cannot tell which array this vector is in")
    assert isinstance(bytes_, c.Literal)
    _check_multiple(reading, nest, place, ("a vector", int(bytes_.text)), span, "access single elements")


def _check_aligned(
    reading: StatementReads, nest: Context, place: PointerView, intrinsic: Intrinsic, span: Span
) -> None:
    if intrinsic.aligned:
        remedy = "load and store unaligned (`loadu`, `storeu`)"
        _check_multiple(reading, nest, place, (f"`{intrinsic.name}`", intrinsic.aligned), span, remedy)


def _check_multiple(
    reading: StatementReads, nest: Context, place: PointerView, needed: tuple[str, int], span: Span, remedy: str
) -> None:
    """Checks the alignment of an address: that of the array is known, or assumed of an argument and of shared memory;
    that of the offset is proved."""
    state, array, (what, bytes_) = reading.state, place.array, needed
    message = f"{what} needs an address that is a multiple of {bytes_} bytes"
    if array.is_argument or nest.block is not None:
        state.assume(f"`{array.label}` begins at a multiple of {bytes_} bytes")
    elif array.alignment % bytes_:
        remedy = f"declare it `_Alignas({bytes_})`, or {remedy}"
        raise outside(span, f"{message}, and `{array.label}` may begin at another one", remedy)
    by = bytes_ * 8 // array.type.bits
    terms = [(monomial, factor) for monomial, factor in flat(place).terms if factor % by]
    rest = affine(Polynomial.of(terms))
    if rest is None:
        raise outside(span, f"{message}, and this may be none", remedy)
    if not rest.terms and rest.constant % by == 0:
        return
    around = reading.asides.beside()
    whole = polynomial_of(quotient(state, rest, by, around)) * constant_polynomial(by)
    inside = around.added(reading.asides.added(nest))
    otherwise = (f"{message}, and this may be none", remedy)
    state.require(inside, whole - Polynomial.affine(rest), span, otherwise=otherwise)
