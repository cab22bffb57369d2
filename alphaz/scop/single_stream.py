"""One stream of a function of the host, as the order of its text.

cudaStream_t s;
cudaStreamCreate(&s);
cudaMemcpyAsync(x, h, n, kind, s);      cudaMemcpy(x, h, n, kind);
k<<<g, b, 0, s>>>(x);                   k<<<g, b>>>(x);
cudaStreamSynchronize(s);

Operations of one stream are ordered, and those of the default stream wait for it and are waited for. Host and GPU may
work at once between an asynchronous copy and the next wait: there the host may only issue operations.
"""

from collections.abc import Iterable
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import Part, blocks, nodes, rebuilt, with_blocks
from alphaz.scop.substitution import names_in

_STREAM = c.Named("cudaStream_t")
_CREATE, _DESTROY, _WAIT, _COPY = "cudaStreamCreate", "cudaStreamDestroy", "cudaStreamSynchronize", "cudaMemcpyAsync"
_CLEAR = "cudaMemsetAsync"
CALLS = frozenset({_CREATE, _DESTROY, _WAIT, _COPY, _CLEAR})
# The calls in the order of the host, by those in a stream; their last argument is the stream.
_ORDERED = {_COPY: "cudaMemcpy", _CLEAR: "cudaMemset"}
_WAITS = frozenset({_WAIT, "cudaDeviceSynchronize"})
_ISSUES = frozenset({_COPY, "cudaMalloc", "cudaGetLastError", "cudaPeekAtLastError", "cudaMemset", _CLEAR})


def without_stream(body: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
    """Returns the body of a function of the host without its stream; unchanged if it has several, or none, or if the
    host may access memory while the stream does."""
    declared = [node for node in nodes(body, c.Declare) if node.type == _STREAM]
    if len(declared) != 1 or not any(one is declared[0] for one in body):
        return body
    name = declared[0].name
    created = [call for call in nodes(body, c.Call) if call.function == _CREATE]
    if declared[0].value is not None or [call.arguments for call in created] != [(c.Unary("&", c.Name(name)),)]:
        return body
    places = [place for call in nodes(body, c.Call) if call.function in _ORDERED for place in call.arguments[:2]]
    copied = {node.name for place in places for node in nodes(place, c.Name) if isinstance(place, c.Unary | c.Cast)}
    if not _are_waited_for(body, copied):
        return body
    remaining = _without(body, declared[0])
    changed = tuple(rebuilt(statement, lambda part: _changed(part, name)) for statement in remaining)
    return body if any(node.name == name for node in nodes(changed, c.Name)) else changed


def _are_waited_for(block: Iterable[c.Statement], copied: set[str]) -> bool:
    """Returns True if, in each block, the host waits for copies before anything else than further operations, which
    use no variable that is `copied`."""
    is_open = False
    for statement in block:
        match statement:
            case c.Evaluate(c.Call("cudaMemcpy", (_, _, _, c.Name("cudaMemcpyDeviceToHost")))):
                is_open = False
            case c.Evaluate(c.Call(function)) if function in _WAITS:
                is_open = False
            case c.Evaluate(c.Call(function)) if function in _ISSUES:
                is_open |= function == _COPY
            case c.Launch() if not nodes(statement, (c.Index, c.Unary)) and not copied & names_in(statement):
                pass
            case c.Declare(value=value) if not nodes(value, (c.Index, c.Unary, c.Call)) and not copied & names_in(
                statement
            ):
                pass
            case _:
                if is_open or not all(_are_waited_for(inside, copied) for inside in blocks(statement)):
                    return False
    return not is_open


def _without(block: Iterable[c.Statement], declared: c.Declare) -> tuple[c.Statement, ...]:
    """Returns a block without the statements that only create, destroy or wait for a stream."""
    gone = {_CREATE, _DESTROY, _WAIT}
    statements = []
    for statement in block:
        match statement:
            case c.Evaluate(c.Call(function)) if function in gone:
                continue
        if statement is not declared:
            statements.append(with_blocks(statement, lambda inside: _without(inside, declared)))
    return tuple(statements)


def _changed(part: Part, stream: str) -> Part | None:
    match part:
        case c.Launch(stream=c.Name(name)) if name == stream:
            return replace(part, stream=None)
        case c.Call(function, (*arguments, c.Name(name))) if function in _ORDERED and name == stream:
            return c.Call(_ORDERED[function], tuple(arguments), at=part.at)
    return None
