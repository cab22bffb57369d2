"""Sizes behind pointers: an argument that points to an integer which the function only reads is this integer.

void f(const int *n, double *x) { .. i < *n .. }        void f(const int n, double *x) { .. i < n .. }

The integer must not overlap what the function writes, as arrays that a caller passes do not overlap.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.printer import clause_text
from alphaz.c.walk import Part, nodes, rebuilt
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import (
    Trees,
    addressed,
    body_of,
    changes,
    element_type,
    is_simple,
    is_wide_integer,
    names_declared,
    targets,
    words_in,
)

_SHARING = frozenset({"shared", "firstprivate"})
"""The clauses in which a pointer means the same as the integer that it points to, if both stay unchanged."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """An argument of a function of the file, by its position."""

    function: str
    position: int


def with_sizes_by_value(tree: c.File, function: str = "", names: Collection[str] = ()) -> c.File:
    """Returns the file in which pointers to sizes are passed by value: those arguments of a function, and all arguments
    of functions that it calls with such a pointer, or with the address of a local integer."""
    definitions = {item.name: item for item in tree.items if isinstance(item, c.Function) and item.body is not None}
    called = {call.function for call in nodes(tree, c.Call)}
    slots = {
        _Slot(item.name, position)
        for item in definitions.values()
        for position, parameter in enumerate(item.parameters)
        if (parameter.name in names if item.name == function else item.name in called)
    }
    while True:
        steady = {
            slot for slot in slots
            if _is_size(definitions[slot.function], slot, slots)
            and (slot.function == function or _is_passed_by_value(tree, definitions, slot, slots))
        }  # fmt: skip
        if steady == slots:
            break
        slots = steady
    return replace(tree, items=tuple(_by_value(item, slots) for item in tree.items)) if slots else tree


def _is_passed_by_value(
    tree: c.File, definitions: Mapping[str, c.Function], slot: _Slot, slots: Collection[_Slot]
) -> bool:
    """Returns True if each call of a function passes a size, or the address of a local integer that nothing can change
    during the call."""
    function = definitions[slot.function]
    heads = [item for item in tree.items if isinstance(item, c.Function) and item.name == slot.function]
    uses = sum(item.name == slot.function for item in nodes(tree, c.Name)) + len(nodes(tree, c.Launch))
    if uses or function.qualifiers or any(len(head.parameters) != len(function.parameters) for head in heads):
        return False
    return len([call for call in nodes(tree, c.Call) if call.function == slot.function]) == sum(
        call.function == slot.function and _passes_value(caller, call, slot, slots, definitions)
        for caller in definitions.values()
        for call in nodes(caller.body, c.Call)
    )


def _passes_value(
    caller: c.Function, call: c.Call, slot: _Slot, slots: Collection[_Slot], definitions: Mapping[str, c.Function]
) -> bool:
    function = definitions[slot.function]
    if len(call.arguments) != len(function.parameters) or changes(call.arguments):
        return False
    match call.arguments[slot.position]:
        case c.Name(name):
            return name in _sizes(caller, slots)
        case c.Unary("&", c.Name(name)):
            return _is_steady_local(caller, name, _inside(function.parameters[slot.position].type), slots, definitions)
    return False


def _is_steady_local(
    caller: c.Function,
    name: str,
    type_: c.Type | None,
    slots: Collection[_Slot],
    definitions: Mapping[str, c.Function],
) -> bool:
    """Returns True for an integer of a function that has its address in such calls alone. If the file has threads, it
    never changes: a thread may change it while others are in the function that it is passed to."""
    declared: list[c.Parameter | c.Declare] = [*caller.parameters, *nodes(caller.body, c.Declare)]
    match [item for item in declared if item.name == name]:
        case [c.Parameter(type=own) | c.Declare(type=own, storage="") as item]:
            pass
        case _:
            return False
    if not is_simple(own) or own.volatile or type_ is None or element_type(own) != element_type(type_):
        return False
    has_threads = any(nodes(definition.body, (c.Omp, c.Pragma, c.Opaque)) for definition in definitions.values())
    if has_threads and (c.Name(name) in targets(caller.body) or (isinstance(item, c.Declare) and item.value is None)):
        return False
    address = c.Unary("&", c.Name(name))
    passed = sum(_passed(call, slots).count(address) for call in nodes(caller.body, c.Call))
    return passed == sum(name in names_in(operand) for operand in addressed(caller.body))


def _passed(call: c.Call, slots: Collection[_Slot]) -> list[c.Expression]:
    """Returns the arguments of a call that are sizes."""
    function = call.function
    return [
        argument for position, argument in enumerate(call.arguments)
        if isinstance(function, str) and _Slot(function, position) in slots
    ]  # fmt: skip


def _sizes(function: c.Function, slots: Collection[_Slot]) -> set[str]:
    """Returns the arguments of a function that are passed by value."""
    return {
        parameter.name for position, parameter in enumerate(function.parameters)
        if _Slot(function.name, position) in slots
    }  # fmt: skip


def by_value(parameter: c.Parameter) -> c.Parameter:
    """Returns the argument that passes the integer of a pointer; other arguments unchanged."""
    inside = _inside(parameter.type)
    if inside is None:
        return parameter
    return replace(parameter, type=inside, member=parameter.member or c.MemberOf(parameter, (), ()))


def pointers_to_bounds(name: str, definitions: Mapping[str, c.Function]) -> frozenset[str]:
    """Returns the arguments that point to integers with which a function, or one that it calls, bounds its loops, or
    finds its elements."""
    function = definitions[name]
    rest = {other: definition for other, definition in definitions.items() if other != name}
    names: set[str] = set()
    uses = [*_indices(function), *_bounds_of_calls(function, rest)]
    changes = [(node.target, node.value) for node in nodes(function.body, (c.Assign, c.Set))]
    changes += [(c.Name(node.name), node.value) for node in nodes(function.body, c.Declare) if node.value is not None]
    while uses:
        new = names_in(uses) - names
        names |= new
        uses = [value for target, value in changes if isinstance(target, c.Name) and target.name in new]
    return frozenset(
        parameter.name for parameter in function.parameters
        if parameter.name in names and _inside(parameter.type) is not None
    )  # fmt: skip


def _bounds_of_calls(function: c.Function, definitions: Mapping[str, c.Function]) -> Iterator[c.Expression]:
    """Yields the arguments with which the called functions bound their loops, or find their elements."""
    for call in nodes(function.body, c.Call):
        if isinstance(call.function, str) and call.function in definitions:
            bounds = pointers_to_bounds(call.function, definitions)
            for parameter, argument in zip(definitions[call.function].parameters, call.arguments, strict=False):
                yield from (argument,) if parameter.name in bounds else ()


def _indices(function: c.Function) -> Iterator[c.Expression]:
    """Yields the bounds of a function's loops, the extents of its arrays and its subscripts."""
    yield from (loop.condition for loop in nodes(function.body, (c.While, c.DoWhile)))
    for loop in nodes(function.body, c.For):
        yield from () if loop.test is None else (loop.test,)
        for start in loop.start:
            if isinstance(start, c.Assign | c.Declare) and start.value is not None:
                yield start.value
    yield from (array.extent for array in nodes(function, c.Array) if array.extent is not None)
    yield from (element.index for element in nodes(function.body, c.Index))


def _inside(type_: c.Type) -> c.Type | None:
    """Returns the type of the integer to which a pointer points; None for other types."""
    match type_:
        case c.Pointer(inside):
            pass
        case c.Array(inside, None | c.Literal("1"), static=False):
            pass
        case _:
            return None
    is_size = is_simple(inside) and is_wide_integer(element_type(inside)) and not type_.volatile
    return inside if is_size else None


def _is_size(function: c.Function, slot: _Slot, slots: Collection[_Slot]) -> bool:
    """Returns True if a function only reads the integer to which an argument points, and does not use the pointer in
    another way, except as such an argument of another function."""
    parameter = function.parameters[slot.position]
    name = parameter.name
    everything = (*function.parameters, *body_of(function))
    clauses = [clause for directive in nodes(function.body, c.Omp) for clause in directive.clauses]
    if _inside(parameter.type) is None or [one.name for one in function.parameters].count(name) > 1:
        return False
    if name in _declared(function.body) or _is_in_text(function.body, clauses, name):
        return False
    trees: list[Part] = [*everything, *clauses]
    shared = sum(
        argument == c.Name(name) for clause in clauses if clause.name in _SHARING for argument in clause.arguments
    )
    reads = [node for node in nodes(trees, (c.Unary, c.Index)) if _is_read(node, name)]
    calls = [call for call in nodes(function.body, c.Call) if call.function != function.name]
    passed = sum(_passed(call, slots).count(c.Name(name)) for call in calls)
    if len(reads) + shared + passed != sum(node.name == name for node in nodes(trees, c.Name)):
        return False
    # A name that is called is no `Name`.
    is_called = any(node.function == name for node in nodes(trees, c.Call))
    addresses = [node.operand for node in nodes(trees, c.Unary) if node.operator == "&"]
    return not is_called and not any(_is_object_of(target, name) for target in (*targets(trees), *addresses))


def _declared(body: Trees) -> set[str]:
    """Returns the names that a body declares anywhere."""
    declared = names_declared(nodes(body, (c.Declare, c.Typedef, c.Function)))
    return declared | {name for node in nodes(body, c.Enumeration) for name, _ in node.constants or ()}


def _is_in_text(body: Trees, clauses: list[c.Clause], name: str) -> bool:
    """Returns True if a directive has the name in words that are no expressions."""
    words = [word for directive in nodes(body, (c.Pragma, c.Opaque)) for word in words_in(directive.text)]
    in_text = sum(name in words_in(clause_text(clause)) for clause in clauses)
    return name in words or in_text != sum(name in names_in(clause) for clause in clauses)


def _is_read(node: c.Unary | c.Index, name: str) -> bool:
    match node:
        case c.Unary("*", c.Name(own)) | c.Index(c.Name(own), c.Literal("0")):
            return own == name
    return False


def _is_object_of(target: c.Expression, name: str) -> bool:
    """Returns True if an assignment to this target may be one to the integer behind a pointer."""
    inside: c.Expression = target
    while isinstance(inside, c.Index | c.Member) and not (isinstance(inside, c.Index) and _is_read(inside, name)):
        inside = inside.base
    match inside:
        case c.Name(own):
            return own == name
        case c.Unary("*", c.Name(own)):
            return own == name
    return name in names_in(inside)


def _by_value(item: c.Item, slots: Collection[_Slot]) -> c.Item:
    """Returns a function whose sizes are passed by value, and which passes sizes by value; other items unchanged."""
    if not isinstance(item, c.Function):
        return item
    names = _sizes(item, slots)

    def change(part: Part) -> Part | None:
        if isinstance(part, c.Unary | c.Index):
            own = next((name for name in names if _is_read(part, name)), None)
            return None if own is None else c.Name(own, at=part.at)
        if isinstance(part, c.Call) and (passed := _passed(part, slots)):
            return replace(part, arguments=tuple(
                argument.operand if isinstance(argument, c.Unary) and argument in passed else rebuilt(argument, change)
                for argument in part.arguments
            ))  # fmt: skip
        return None

    changed = rebuilt(item, change)
    parameters = (
        by_value(parameter) if _Slot(item.name, position) in slots else parameter
        for position, parameter in enumerate(changed.parameters)
    )
    return replace(changed, parameters=tuple(parameters))
