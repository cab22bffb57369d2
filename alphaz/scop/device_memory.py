"""Memory of a GPU: the calls of its library as those of C, and which memory an array is in."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.cuda_preparation import EXTENTS_TYPE, is_device
from alphaz.c.walk import Part, nodes, rebuilt, with_blocks
from alphaz.scop.cuda_builtins import DIMENSIONS
from alphaz.scop.several_streams import CALLS as CALLS_OF_STREAMS
from alphaz.scop.several_streams import with_ordered_operations
from alphaz.scop.single_stream import CALLS, without_stream
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import assigned, changed_in_head, is_wide_integer, names_declared, scalar_type

ALLOCATOR = "cudaMalloc"
# Whether the target, and the source, of a copy are in the memory of the GPU.
DIRECTIONS = {
    "cudaMemcpyHostToDevice": (True, False),
    "cudaMemcpyDeviceToHost": (False, True),
    "cudaMemcpyDeviceToDevice": (True, True),
    "cudaMemcpyHostToHost": (False, False),
}
_WAITS = frozenset({"cudaDeviceSynchronize", "cudaGetLastError", "cudaPeekAtLastError"})
_LIBRARY = _WAITS | CALLS | CALLS_OF_STREAMS | {ALLOCATOR, "cudaMemcpy", "cudaMemset", "cudaFree"}


def is_wait(call: c.Call) -> bool:
    """Returns True if a call of the host only waits for the GPU, or asks for errors."""
    return call.function in _WAITS and not call.arguments


def with_plain_memory(function: c.Function) -> c.Function:
    """Returns a function of the host with the pointers that `cudaMalloc` fills declared there, and with the sizes of
    launches in their places."""
    if function.body is None or is_device(function.qualifiers):
        return function
    outside = [parameter.name for parameter in function.parameters]
    body = with_ordered_operations(without_stream(_without_tests(function.body)))
    counts = Counter(node.name for node in nodes(body, c.Declare))
    return replace(function, body=_with_sizes(_declared_late(body, counts), outside))


def _without_tests(block: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
    """Returns a block in which calls of the library succeed: their results are not tested."""
    inner = [with_blocks(statement, _without_tests) for statement in block]
    statements: list[c.Statement] = []
    while inner:
        statement, behind = inner.pop(0), inner[0] if inner else None
        match statement, behind:
            case c.DoWhile((c.Evaluate(c.Call() as call) as alone,), c.Literal("0")), _ if _is_of_library(call):
                statement = alone
            case c.If(c.Binary("!=", c.Call() as call, c.Name(name)), _, ()), _ if _is_tested(call, name):
                statement = c.Evaluate(call, at=statement.at)
            case (
                c.Declare(name=own, value=c.Call() as call) | c.Assign(c.Name(own), c.Call() as call, "="),
                c.If(c.Binary("!=", c.Name(tested), c.Name(name)), _, ()),
            ) if own == tested and _is_tested(call, name):
                statement = c.Evaluate(call, at=statement.at)
                inner.pop(0)
        statements.append(statement)
    return tuple(statements)


def _is_tested(call: c.Call, success: str) -> bool:
    return success == "cudaSuccess" and _is_of_library(call)


def _is_of_library(call: c.Call) -> bool:
    return call.function in _LIBRARY


def _declared_late(block: tuple[c.Statement, ...], counts: Mapping[str, int]) -> tuple[c.Statement, ...]:
    """Returns a block in which a pointer is declared where it is allocated, if it is the only declaration of its name
    (`counts`: the number of declarations of each name in the function)."""
    inner = tuple(with_blocks(statement, lambda inside: _declared_late(inside, counts)) for statement in block)
    open_ = {one.name: one for one in inner if isinstance(one, c.Declare) and _is_open(one)}
    taken, statements = set[str](), list[c.Statement]()
    for statement in inner:
        name, size = _allocation(statement)
        declared = open_.get(name)
        if declared is None or counts[name] != 1 or name in taken or name in names_in(statements):
            statements.append(statement)
            continue
        taken.add(name)
        statements = [one for one in statements if one is not declared]
        statements.append(replace(declared, value=c.Call(ALLOCATOR, (size,), at=statement.at), at=statement.at))
    return tuple(statements)


def _is_open(declared: c.Declare) -> bool:
    """Returns True for a pointer that is declared without a target."""
    return not declared.storage and declared.value in (None, c.ZERO, c.Name("NULL"), c.Name("nullptr"))


def _allocation(statement: c.Statement) -> tuple[str, c.Expression]:
    """Returns the name of a pointer that is allocated, and the size; "" for other statements."""
    match statement:
        case c.Evaluate(c.Call(function, (place, size))) if function == ALLOCATOR:
            place = place.operand if isinstance(place, c.Cast) else place
            if isinstance(place, c.Unary) and place.operator == "&" and isinstance(place.operand, c.Name):
                return place.operand.name, size
    return "", c.ZERO


def _with_sizes(body: tuple[c.Statement, ...], outside: Iterable[str]) -> tuple[c.Statement, ...]:
    """Returns the statements with each `dim3`, and each number of bytes, that never changes in the launches and calls
    that name it."""
    declared = nodes(body, c.Declare)
    counts, changed = Counter(one.name for one in declared) + Counter(outside), assigned(body)
    for loop in nodes(body, c.For):
        changed |= changed_in_head(loop) - names_declared(loop.start)
    known: dict[str, tuple[c.Expression, ...]] = {}
    for one in declared:
        names = {one.name} if one.value is None else {one.name, *names_in(one.value)}
        if one.value is not None and not names & changed and all(counts[name] <= 1 for name in names):
            if isinstance(one.value, c.Call) and one.value.function == EXTENTS_TYPE:
                known[one.name] = tuple(rebuilt(size, _extent_in(dict(known))) for size in one.value.arguments)
            elif is_wide_integer(scalar_type(one.type)) and nodes(one.value, c.SizeOf):
                known[one.name] = (one.value,)

    def change(part: Part) -> Part | None:
        match part:
            case c.Launch():
                return replace(part, grid=_sizes(part.grid, known), block=_sizes(part.block, known))
            case c.Member():
                return _extent_in(known)(part)
            case c.Name(name) if len(sizes := known.get(name, ())) == 1:
                return sizes[0]
        return None

    rebuilt_body = tuple(rebuilt(statement, change) for statement in body)
    used = {node.name for node in nodes(rebuilt_body, c.Name)}
    return _without(rebuilt_body, {name for name in known if name not in used})


def _extent_in(known: Mapping[str, tuple[c.Expression, ...]]) -> Callable[[Part], Part | None]:
    """Returns the replacement of `g.x` by its value in a `dim3 g(..)`, which is not signed."""

    def change(part: Part) -> Part | None:
        match part:
            case c.Member(c.Name(name), axis, False) if name in known and axis in DIMENSIONS:
                size = dict(zip(DIMENSIONS, known[name], strict=False)).get(axis, c.Literal("1"))
                return c.Cast(c.Scalar("unsigned int"), size, at=part.at)
        return None

    return change


def _sizes(stated: tuple[c.Expression, ...], known: dict[str, tuple[c.Expression, ...]]) -> tuple[c.Expression, ...]:
    match stated:
        case (c.Name(name),) if name in known:
            return known[name]
    return stated


def _without(block: Iterable[c.Statement], names: set[str]) -> tuple[c.Statement, ...]:
    """Returns a block without the declarations of these names."""
    remaining = (statement for statement in block if not (isinstance(statement, c.Declare) and statement.name in names))
    return tuple(with_blocks(one, lambda inside: _without(inside, names)) for one in remaining)
