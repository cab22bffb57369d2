"""Operations of several streams of a function of the host: which of them nothing orders.

cudaMemcpyAsync(x, h, n, kind, s);   // operation 1
cudaEventRecord(e, s);
cudaStreamWaitEvent(t, e, 0);
k<<<g, b, 0, t>>>(x);                // operation 2, after 1
cudaStreamSynchronize(t);

An operation is issued by the host, and done later. It is done after earlier ones of its stream, after what an event
captured for which the stream waits, and after all that the host has waited for. Operations of the default stream wait
for all streams, and are waited for (CUDA C++ programming guide, implicit synchronization). Any order of the operations
has the values of the order of the text if no two that nothing orders conflict: these pairs are stated in front.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.c.cuda_preparation import EXTENTS_TYPE
from alphaz.c.walk import blocks, nodes, with_blocks
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import Statements

OPERATION, UNORDERED = "operation$", "unordered$"
"""Calls that number the operation that follows, and that name pairs of operations; the first argument of the second is
1 if each pair is unordered in every execution."""
_STREAM, _EVENT = c.Named("cudaStream_t"), c.Named("cudaEvent_t")
_CREATES = {"cudaStreamCreate": 1, "cudaEventCreate": 1, "cudaStreamCreateWithFlags": 2, "cudaEventCreateWithFlags": 2}
_BLOCKING = (c.ZERO, c.Name("cudaStreamDefault"))
_DESTROYS = ("cudaStreamDestroy", "cudaEventDestroy")
_RECORD, _WAIT = "cudaEventRecord", "cudaStreamWaitEvent"
_OF_STREAM, _OF_EVENT, _OF_ALL = "cudaStreamSynchronize", "cudaEventSynchronize", "cudaDeviceSynchronize"
CALLS = frozenset({*_CREATES, *_DESTROYS, _RECORD, _WAIT, _OF_STREAM, _OF_EVENT})
# Copies and fills, by their number of arguments without a stream, and the word for the order of the host.
_ASYNC = {"cudaMemcpyAsync": (4, "cudaMemcpy"), "cudaMemsetAsync": (3, "cudaMemset")}
_COPY, _FILL, _RELEASE = "cudaMemcpy", "cudaMemset", "cudaFree"
_SILENT = ("cudaMalloc", "cudaGetLastError", "cudaPeekAtLastError")
_OF_HOST = ("malloc", "free", "printf", "cudaMalloc", "sizeof")
_DEFAULT, _HOST, _BARRIER = "", "$", "0"
_COPIES = 3


_UNKNOWN = "several streams: the order of this statement and of operations of the GPU is not known"
_PENDING = "several streams: the host has not waited for all of them where it returns, or releases memory"
_REMEDY = "use cudaStreamSynchronize, cudaEventRecord and cudaStreamWaitEvent, with streams of cudaStreamCreate"


class _Unread(Exception):
    """The order of the operations is not known: the argument is the reason."""


_Done = dict[str, frozenset[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class _State:
    """The state after the operations that were `passed`."""

    done: _Done
    captured: _Done
    passed: frozenset[tuple[int, int]]


def _common(ends: list[tuple[_Done, frozenset[tuple[int, int]]]]) -> _Done:
    names = {name for done, _ in ends for name in done}
    return {
        name: frozenset.intersection(*(done.get(name, frozenset()) | absent for done, absent in ends)) for name in names
    }


@dataclass(slots=True)
class _Order:
    """The operations so far, each with the number of its iteration: those that are `done` before the next one of each
    stream, or of the host, and those that each event `captured`. `addressed` are variables that
    copies may change. `before` has those done before each."""

    streams: frozenset[str]
    events: frozenset[str]
    numbers: dict[int, int]
    addressed: frozenset[str]
    done: _Done = field(default_factory=dict)
    captured: _Done = field(default_factory=dict)
    before: dict[tuple[int, int], frozenset[tuple[int, int]]] = field(default_factory=dict)
    of_streams: set[tuple[int, int]] = field(default_factory=set)
    iteration: int = 0
    at: c.SourcePlace | None = None

    def pass_all(self, block: Statements) -> None:
        for statement in block:
            self._pass(statement)

    def _pass(self, statement: c.Statement) -> None:
        self.at = statement.at or self.at
        match statement:
            case c.Block(body):
                self.pass_all(body)
            case c.If(_, then, otherwise):
                self._branches([then, otherwise])
            case c.For() | c.While() | c.DoWhile():
                self._loop(statement.body)
            case c.Return():
                self.end()
            case c.Launch(stream=stream):
                self._check_steady((*statement.grid, *statement.block, *statement.arguments))
                self._issue(statement, self._stream(stream))
            case c.Evaluate(c.Call(str() as name, arguments)) if name in CALLS or name == _OF_ALL:
                self._synchronise(name, arguments)
            case c.Evaluate(c.Call(str() as name, arguments)) if name in _ASYNC:
                size = _ASYNC[name][0]
                self._check_steady(arguments[2:size])
                self._issue(statement, self._stream(arguments[size] if len(arguments) > size else None), is_async=True)
            case c.Evaluate(c.Call(str() as name, arguments)) if name in (_COPY, _FILL):
                self._check_steady(arguments[2:3])
                is_inside = name == _FILL or arguments[-1:] == (c.Name("cudaMemcpyDeviceToDevice"),)
                self._issue(statement, _DEFAULT, waits=not is_inside)
            case c.Evaluate(c.Call(str() as name)) if name in _SILENT:
                pass
            case c.Evaluate(c.Call(str() as name)) if name == _RELEASE:
                self.end()
            case c.Evaluate() | c.Declare() | c.Assign() | c.Pragma():
                self._access(statement)
            case _:
                raise _Unread

    def end(self) -> None:
        """Checks that the host has waited for the operations of all streams, except the default one."""
        if self.of_streams - self._known(_HOST):
            raise _Unread(_PENDING)

    def _known(self, name: str) -> frozenset[tuple[int, int]]:
        return self.done.get(name, frozenset())

    def _stream(self, stream: c.Expression | None) -> str:
        match stream:
            case None | c.Literal("0"):
                return _DEFAULT
            case c.Name(name) if name in self.streams:
                return name
        raise _Unread

    def _number(self, statement: c.Statement) -> tuple[int, int]:
        return self.numbers.setdefault(id(statement), len(self.numbers) + 1), self.iteration

    def _access(self, statement: c.Statement) -> None:
        """Adds a statement of the host, which accesses memory at once."""
        if (names_in((statement,)) & (self.streams | self.events)) or any(
            call.function not in (*_OF_HOST, EXTENTS_TYPE) for call in nodes(statement, c.Call)
        ):
            raise _Unread
        number = self._number(statement)
        self.before[number] = self._known(_HOST)
        self.done[_HOST] = self._known(_HOST) | {number}

    def _check_steady(self, parts: Iterable[c.Node]) -> None:
        """Checks that the host reads no memory where it issues an operation, and nothing that copies may change."""
        for part in parts:
            _check_head(part, self.addressed)

    def _issue(self, statement: c.Statement, stream: str, waits: bool = False, is_async: bool = False) -> None:
        number, before = self._number(statement), self._known(_HOST) | self._known(stream) | self._known(_BARRIER)
        if stream == _DEFAULT:
            before = before.union(*map(self._known, self.streams))
            self.done[_BARRIER] = before | {number}
        if stream != _DEFAULT or is_async:
            self.of_streams.add(number)
        self.before[number] = before
        self.done[stream] = before | {number}
        if waits:
            self.done[_HOST] = before | {number}

    def _synchronise(self, name: str, arguments: tuple[c.Expression, ...]) -> None:
        match name, arguments:
            case "cudaEventRecord", (c.Name(event), *more) if event in self.events and len(more) <= 1:
                stream = self._stream(more[0] if more else None)
                self.captured[event] = self._known(stream) | self._known(_HOST)
            case "cudaStreamWaitEvent", (stream, c.Name(event), *more) if event in self.events and more in (
                [],
                [c.ZERO],
            ):
                own = self._stream(stream)
                self.done[own] = self._known(own) | self.captured.get(event, frozenset())
            case "cudaStreamSynchronize", (stream,):
                self._host_waits(self._known(self._stream(stream)))
            case "cudaEventSynchronize", (c.Name(event),) if event in self.events:
                self._host_waits(self.captured.get(event, frozenset()))
            case "cudaDeviceSynchronize", ():
                self._host_waits(frozenset().union(*map(self._known, (_DEFAULT, *self.streams))))
            case _ if name in _CREATES or name in _DESTROYS:
                pass
            case _:
                raise _Unread

    def _host_waits(self, these: frozenset[tuple[int, int]]) -> None:
        self.done[_HOST] = self._known(_HOST) | these

    def _branches(self, branches: Iterable[Statements]) -> None:
        first, ends = self._state(), []
        for branch in branches:
            self._set(first)
            self.pass_all(branch)
            if not (branch and isinstance(branch[-1], c.Return)):
                ends.append(self._state())
        self._join(ends)

    def _loop(self, body: Statements) -> None:
        """Passes several iterations: of two, one may be the next, or a later one, of the other."""
        outer, ends = self.iteration, [self._state()]
        for copy in range(1, _COPIES + 1):
            self.iteration = outer * (_COPIES + 1) + copy
            self.pass_all(body)
            ends.append(self._state())
        self.iteration = outer
        self._join(ends)

    def _state(self) -> _State:
        return _State(dict(self.done), dict(self.captured), frozenset(self.before))

    def _set(self, state: _State) -> None:
        self.done, self.captured = dict(state.done), dict(state.captured)

    def _join(self, ends: list[_State]) -> None:
        """Sets the state after one of several ends: operations that are not executed before an end count as done."""
        if ends:
            every = frozenset(self.before)
            self.done = _common([(end.done, every - end.passed) for end in ends])
            self.captured = _common([(end.captured, every - end.passed) for end in ends])

    def unordered(self) -> Iterator[tuple[int, int]]:
        """Yields the pairs of operations of which nothing orders two instances."""
        every = [*self.before]
        for position, one in enumerate(every):
            for other in every[:position]:
                if one not in self.before[other] and other not in self.before[one] and one[0] != other[0]:
                    yield min(one[0], other[0]), max(one[0], other[0])


def with_ordered_operations(body: Statements) -> Statements:
    """Returns the body of a function of the host with streams and events as the operations of one stream, and with
    pairs of those that nothing orders; unchanged if it has none, or if the order is not known."""
    declared = [node for node in nodes(body, c.Declare) if node.type in (_STREAM, _EVENT)]
    if not declared or not all(_is_created(body, one) for one in declared):
        return body
    streams = frozenset(one.name for one in declared if one.type == _STREAM)
    events = frozenset(one.name for one in declared if one.type == _EVENT)
    inner = tuple(one for one in body if one not in declared)
    taken = (names_in((node.operand,)) for node in nodes(inner, c.Unary) if node.operator == "&")
    pointers = frozenset(node.name for node in nodes(inner, c.Declare) if isinstance(node.type, c.Pointer))
    # The address of a pointer is that of memory for `cudaMalloc`.
    addressed = frozenset().union(*taken) - pointers
    order = _Order(streams, events, {}, addressed)
    try:
        _check_tests(inner, addressed)
        order.pass_all(inner)
        order.end()
    except _Unread as problem:
        place = order.at or declared[-1].at
        return (c.Unsupported(str(problem) or _UNKNOWN, _REMEDY, at=place),)
    marked = _marked(inner, order.numbers, pointers)
    if names_in(marked) & (streams | events):
        return body
    pairs = sorted({*order.unordered()})
    is_certain = not any(nodes(inside, (c.Call, c.Launch)) for one in inner for inside in blocks(one))
    numbers = (int(is_certain), *(number for pair in pairs for number in pair))
    return (c.Evaluate(c.Call(UNORDERED, tuple(c.Literal(str(number)) for number in numbers)), at=inner[0].at), *marked)


def _is_created(body: Statements, declared: c.Declare) -> bool:
    """Returns True for a stream or event that is declared once, at the top, and created once there."""
    place = c.Unary("&", c.Name(declared.name))
    creating = [
        call for one in body if isinstance(one, c.Evaluate) and isinstance(call := one.expression, c.Call)
        if call.function in _CREATES and call.arguments[:1] == (place,)
    ]  # fmt: skip
    if len(creating) != 1 or len(creating[0].arguments) != _CREATES.get(str(creating[0].function), 0):
        return False
    is_stream = declared.type == _STREAM
    if str(creating[0].function).startswith("cudaStream") != is_stream:
        return False
    if is_stream and any(flags not in _BLOCKING for flags in creating[0].arguments[1:]):
        return False
    taken = [node for node in nodes(body, c.Unary) if node == place]
    is_alone = [node.name for node in nodes(body, c.Declare)].count(declared.name) == 1 and declared in body
    return is_alone and len(taken) == 1 and declared.value is None and not declared.storage


def _check_tests(block: Statements, addressed: frozenset[str]) -> None:
    """Raises _Unread for conditions that read memory, which operations of streams may change."""
    for loop in nodes(block, c.For):
        for head in (*loop.start, loop.test, *loop.steps):
            _check_head(head, addressed)
    for test in nodes(block, (c.If, c.While)):
        _check_head(test.condition, addressed)
    for again in nodes(block, c.DoWhile):
        _check_head(again.condition, addressed)
    if nodes(block, (c.Break, c.Continue, c.Goto, c.Switch)):
        raise _Unread


def _check_head(part: c.Node | None, addressed: frozenset[str]) -> None:
    """Raises _Unread for a part that may read memory, or that names a variable whose address is taken."""
    if part is None:
        return
    if nodes(part, (c.Index, c.Call)) or any(node.operator in ("*", "&") for node in nodes(part, c.Unary)):
        raise _Unread
    if names_in((part,)) & addressed:
        raise _Unread


def _marked(block: Statements, numbers: dict[int, int], pointers: frozenset[str]) -> Statements:
    """Returns a block in the words of one stream, with the numbers of its operations in front of them."""
    statements: list[c.Statement] = []
    for statement in block:
        match statement:
            case c.Evaluate(c.Call(str() as name)) if name in CALLS or name == _OF_ALL:
                continue
        number = numbers.get(id(statement))
        if number is not None and not _is_pointer(statement, pointers):
            statements.append(c.Evaluate(c.Call(OPERATION, (c.Literal(str(number)),)), at=statement.at))
        statements.append(_in_order(with_blocks(statement, lambda inside: _marked(inside, numbers, pointers))))
    return tuple(statements)


def _is_pointer(statement: c.Statement, pointers: frozenset[str]) -> bool:
    """Returns True for a statement without accesses: declarations, and exchanges of pointers."""
    match statement:
        case c.Declare(value=None) | c.Declare(c.Pointer(), _, c.Name()):
            return True
        case c.Assign(c.Name(name), c.Name(), "="):
            return name in pointers
    return False


def _in_order(statement: c.Statement) -> c.Statement:
    match statement:
        case c.Launch():
            return replace(statement, stream=None)
        case c.Evaluate(c.Call(str() as name, arguments) as call) if name in _ASYNC:
            size, word = _ASYNC[name]
            return replace(statement, expression=replace(call, function=word, arguments=arguments[:size]))
    return statement
