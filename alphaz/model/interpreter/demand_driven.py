"""Values on demand, without Python's stack: stores, and the driver of the generators that fill them.

A value that is needed during its own computation depends on itself: then the program has no meaning, and the cycle of
points is reported."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from alphaz.diagnostics import Diagnostic, Label, Rejected, Witness, WitnessPoint
from alphaz.diagnostics.rules import CYCLE, INTERNAL, RUN_TIME
from alphaz.model.interpreter.arithmetic import Stop
from alphaz.model.program import Variable

Value = int | float
Point = tuple[int, ...]
Computation = Generator[tuple["Store", int, Point], Value, Value]

# Most points of a cycle that are reported.
_SHOWN = 8


@dataclass(slots=True, eq=False)
class Store:
    """The values of one variable of one call of a system: flat, row-major over its box; None is not computed yet.

    `busy` are the offsets under computation. `where` names the call unless it is the outermost."""

    variable: Variable
    parameters: tuple[tuple[str, int], ...]
    data: list[Value | None]
    where: str = ""
    busy: set[int] = field(default_factory=set)
    slow: Callable[..., Computation] | None = None
    fast: Callable[..., Value | None] | None = None
    fill: Callable[..., None] | None = None
    has: Callable[..., bool] | None = None
    offset: Callable[..., int] | None = None

    def named(self, point: Point) -> str:
        """Returns the value in the usual notation: `A[1,2]`, `x`, `A[1] in the call of s(N=2)`."""
        indices = f"[{','.join(map(str, point))}]" if point else ""
        return f"{self.variable.name}{indices}{self.where}"


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    computation: Computation
    store: Store
    offset: int
    point: Point


def compute(store: Store, offset: int, point: Point) -> Value:
    """Returns the value at a point, after storing it and all values that it needs. Raises Rejected."""
    stack = [_begin(store, offset, point, None)]
    answer: Value | None = None
    while True:
        frame = stack[-1]
        try:
            need, offset, point = frame.computation.send(answer)  # type: ignore[arg-type]
        except StopIteration as done:
            answer = frame.store.data[frame.offset] = done.value
            frame.store.busy.discard(frame.offset)
            stack.pop()
            if not stack:
                return done.value  # type: ignore[no-any-return]
        except Stop as problem:
            raise Rejected(_stopped(frame, str(problem))) from None
        else:
            if offset in need.busy:
                raise Rejected(_cycle(stack, need, offset))
            stack.append(_begin(need, offset, point, frame))
            answer = None


def _begin(store: Store, offset: int, point: Point, reader: _Frame | None) -> _Frame:
    assert store.slow is not None
    assert store.has is not None
    if not store.has(*point):
        raise Rejected(_outside(store, point, reader))
    store.busy.add(offset)
    return _Frame(store.slow(*point), store, offset, point)


def _stopped(frame: _Frame, problem: str) -> Diagnostic:
    name = frame.store.named(frame.point)
    witness = Witness(
        frame.store.parameters,
        (WitnessPoint("point", frame.store.variable.name, frame.point),),
        f"{_parameters(frame.store)}{name} has no value: {problem}",
    )
    return Diagnostic(RUN_TIME, f"`{name}`: {problem}", Label(frame.store.variable.span), witness=witness)


def _cycle(stack: list[_Frame], store: Store, offset: int) -> Diagnostic:
    start = next(position for position, f in enumerate(stack) if f.store is store and f.offset == offset)
    cycle = stack[start:]
    names = [f.store.named(f.point) for f in cycle]
    shown = names if len(names) <= _SHOWN else [*names[: _SHOWN - 1], f"({len(names) - _SHOWN} more)", names[-1]]
    sentence = " needs ".join([*shown, names[0]])
    witness = Witness(
        store.parameters,
        tuple(WitnessPoint("point", f.store.variable.name, f.point) for f in cycle[:_SHOWN]),
        _parameters(store) + sentence,
    )
    others = {id(f.store): f.store for f in cycle[1:] if f.store is not store}.values()
    return Diagnostic(
        CYCLE,
        f"`{names[0]}` depends on itself",
        Label(store.variable.span, "this value needs itself"),
        tuple(Label(other.variable.span, "by way of this variable") for other in others),
        witness,
        help="break the cycle: some value on it must be computed from other values",
    )


def _outside(store: Store, point: Point, reader: _Frame | None) -> Diagnostic:
    by = f", by `{reader.store.named(reader.point)}`" if reader else ""
    return Diagnostic(
        INTERNAL,
        f"`{store.named(point)}` is read outside the domain of `{store.variable.name}`{by}",
        Label(store.variable.span),
        help="the checks should have refused this program: please report it",
    )


def _parameters(store: Store) -> str:
    sizes = ", ".join(f"{name} = {value}" for name, value in store.parameters)
    return f"for {sizes}, " if sizes else ""
