"""Use equations for the verifier by enumeration: the operations of one of them, for given parameters.

The call, and what a script dates of its own: the allocation, the copy and the release of the arrays of its arguments.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from alphaz.mapping.target_mapping import CallMoment
from alphaz.model.program import UseEquation
from tests.legality.plain_order import PLAIN, Element, Operation, Point
from tests.legality.plain_reads import passed

if TYPE_CHECKING:
    from tests.legality.bruteforce import World

Made = dict[str, dict[Point, Operation]]


@dataclass
class Accesses:
    """The reads and writes of one operation, collected step by step."""

    reads: dict[Element, None] = field(default_factory=dict)
    writes: dict[Element, None] = field(default_factory=dict)
    read_directly: set[Element] = field(default_factory=set)
    written_directly: set[Element] = field(default_factory=set)

    def fields(self) -> dict[str, object]:
        return {
            "reads": tuple((element, False) for element in self.reads),
            "writes": tuple(self.writes),
            "read_directly": frozenset(self.read_directly),
            "written_directly": frozenset(self.written_directly),
        }


class Argument:
    """One input or output. `steps` are the moments that have dates of their own, with the name of their statement."""

    def __init__(self, world: "World", call: "Call", is_output: bool, number: int) -> None:
        use, mapping = call.use, world.mapping
        self.world, self.call, self.use, self.is_output, self.number = world, call, use, is_output, number
        self.name = f"{call.label}.{'out' if is_output else 'in'}{number}"
        callee = world.design.program.system(use.system)
        self.callee, self.theirs = callee, (callee.outputs if is_output else callee.inputs)[number]
        dates = {m: mapping.argument_date(call.label, is_output, number, m) for m in CallMoment}
        space = mapping.argument_space(call.label, is_output, number)
        self.direct = space is not None and space.space in {world.space(v.name) for v in world.system.variables}
        has_dates = any(dates[m] is not None for m in (CallMoment.ALLOCATION, CallMoment.COPY))
        self.has_array = not self.direct and has_dates
        self.dates = {m: d.function for m, d in dates.items() if d is not None and self.has_array}

    @property
    def steps(self) -> dict[CallMoment, str]:
        return {moment: f"{self.name}.{moment}" for moment in self.dates}

    @property
    def in_order(self) -> list[str]:
        """The statements of what happens to it, in their order at equal dates."""
        middle = [None, CallMoment.COPY] if self.is_output else [CallMoment.COPY, None]
        order = [CallMoment.ALLOCATION, *middle, CallMoment.FREE]
        return [self.call.label if m is None else self.steps[m] for m in order if m is None or m in self.steps]

    def elements(self, e: Point) -> list[Point]:
        return list(self.theirs.domain.points(passed(self.callee, self.use, e, self.world.parameters)))

    def keys(self) -> dict[Point, Point]:
        """Returns the array of each call: one for each date of allocation, if all calls give the argument one box."""
        boxes = set()
        for e in self.call.points:
            boxes.add(tuple((min(p), max(p)) for p in zip(*self.elements(e), strict=True)))
        date = self.dates.get(CallMoment.ALLOCATION)
        if date is None or len(boxes) != 1:
            return {e: e for e in self.call.points}
        return {e: date.at({**self.world.parameters, **dict(zip(date.domain.names, e, strict=True))})
                for e in self.call.points}  # fmt: skip

    def moves(self, e: Point, call: Accesses, copy: Accesses) -> None:
        """Adds the reads and writes of the argument by the call and by the copy (which may be the call)."""
        if self.is_output:
            self._moves_out(e, call, copy)
            return
        world = self.world
        used = world.reader.used(self.use, e, self.number, world.parameters)
        for _, item in world.reader.of_an_input(self.use, e, self.number, world.parameters):
            element = world.through(item)
            copy.reads[element] = None
            if self.direct:
                copy.read_directly.add(element)
        if self.has_array:
            mine = {(self.name, (*e, *x)): None for x in used}
            copy.writes |= mine
            if copy is not call:
                call.reads |= mine

    def _moves_out(self, e: Point, call: Accesses, copy: Accesses) -> None:
        world, mine = self.world, self.use.outputs[self.number]
        theirs = self.elements(e)
        there = set(world.system.variable(mine).domain.points(world.parameters))
        here = [y for y in theirs if (*e, *y) in there]
        results: dict[Element, None] = {(mine, (*e, *y)): None for y in here}
        copy.writes |= results
        if self.direct:
            copy.written_directly |= set(results)
        if self.has_array:
            call.writes |= {(self.name, (*e, *y)): None for y in theirs}
            if copy is not call:
                copy.reads |= {(self.name, (*e, *y)): None for y in here}


class Call:
    """A use equation in a world: `before` is the order of its statements at equal dates."""

    def __init__(self, world: "World", use: UseEquation) -> None:
        self.world, self.use, self.label = world, use, f"UseEquation_{use.outputs[0]}"
        self.points: list[Point] = world.points(use.extension)
        sides = [(False, at) for at in range(len(use.inputs))] + [(True, at) for at in range(len(use.outputs))]
        self.arguments = [Argument(world, self, is_output, number) for is_output, number in sides]
        self.statements = [self.label, *(name for a in self.arguments for name in a.steps.values())]
        self.before = {pair for a in self.arguments for pair in combinations(a.in_order, 2)}
        self.arrays = {a.name: a.keys() for a in self.arguments if a.has_array}
        self._made: Made = {}

    def varies(self) -> bool:
        """Returns True if a date of its arguments is not constant in dimension 0."""
        return any(not date.outputs[0].is_constant for a in self.arguments for date in a.dates.values())

    def cell(self, element: Element) -> tuple[str, Point]:
        name, z = element
        depth = self.use.extension.space.dimensions
        return name, (*self.arrays[name][z[:depth]], *z[depth:])

    def operations(self) -> Iterator[Operation]:
        entry = self.world.mapping.space_time_of(self.label)
        makers = {self.label: self._maker(self.label, entry.function if entry else None)}
        for argument in self.arguments:
            makers |= {argument.steps[m]: self._maker(argument.steps[m], date) for m, date in argument.dates.items()}
        self._made = {name: {} for name in makers}
        for e in self.points:
            accesses = {name: Accesses() for name in makers}
            for argument in self.arguments:
                copy = argument.steps.get(CallMoment.COPY, self.label)
                argument.moves(e, accesses[self.label], accesses[copy])
            for name, make in makers.items():
                role = "call" if name == self.label else name.rpartition(".")[2]
                self._made[name][e] = make(e, role=role, **accesses[name].fields())
                yield self._made[name][e]

    def _maker(self, statement: str, function: object) -> Callable[..., Operation]:
        names = self.use.extension.space.names
        return self.world.dated(statement, self.label, names, function)  # type: ignore[arg-type]

    def complaints(self, mode: str) -> Iterator[str]:
        """Uses of arrays before their allocation or after their release, and two releases of one array."""
        for argument in self.arguments:
            if not argument.has_array:
                continue
            users = {self.label, argument.steps.get(CallMoment.COPY, self.label)}
            for moment, name in argument.steps.items():
                for user, e in ((u, e) for u in users for e in self.points if moment is not CallMoment.COPY):
                    pair = self._made[name][e], self._made[user][e]
                    early, late = pair if moment is CallMoment.ALLOCATION else pair[::-1]
                    if not self.world.precedes(early, late, mode):
                        yield f"{early} does not precede {late}"
            if mode == PLAIN and CallMoment.FREE in argument.steps:
                yield from self._freed_twice(argument)

    def _freed_twice(self, argument: Argument) -> Iterator[str]:
        keys, freed = self.arrays[argument.name], self._made[argument.steps[CallMoment.FREE]]
        for one, two in combinations(self.points, 2):
            if keys[one] == keys[two] and freed[one].date != freed[two].date:
                yield f"{argument.name} of {one} and {two} is freed twice"
