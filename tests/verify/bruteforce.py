"""An independent verifier for given parameters: every operation is enumerated, ≺ is computed by its definition on plain
integers, and every obligation of verifier.md is looked at pair by pair.

It shares with the verifier proper only the program, the mapping as stated, and membership in domains. (Which copies are
dropped is taken from the verifier and checked here.)
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from alphaz.mapping.design import Design
from alphaz.mapping.target import TargetMapping
from alphaz.model.expression import Access, Case, Compose, Expression, Reduce, Restrict
from alphaz.model.facts import Facts
from alphaz.model.program import Equation, Kind, System
from alphaz.model.walk import children
from alphaz.poly import Domain

Point = tuple[int, ...]
Loops = tuple[tuple[int, str], ...]

# Which order is meant: that of the dates, that of tiles of any sizes, that of tiles of the sizes given.
PLAIN, TILED, EXACT = "plain", "tiled", "exact"
Element = tuple[str, Point]
Values = Mapping[str, int]


@dataclass(frozen=True, order=True)
class Tiles:
    """A band without the ordering dimensions that lead it."""

    start: int
    end: int
    sizes: tuple[int, ...] = ()
    wavefront: bool = False

    def tiled(self, kinds: tuple[str, ...], others: tuple[str, ...]) -> list[int]:
        return [d for d in range(self.start, self.end + 1) if {kinds[d], others[d]} != {"O"}]


@dataclass(frozen=True)
class Operation:
    """`moment`: 0 at the start, 1 dated, 2 at the end. `reads` are (element, is the running value).

    Contributions across a reduction dimension write nothing: each has a merge, at its date.
    """

    moment: int
    statement: str
    point: Point
    date: Point
    kinds: tuple[str, ...]
    bands: tuple[Tiles, ...]
    writes: Element | None
    reads: tuple[tuple[Element, bool], ...]
    role: str = "value"
    adds: Element | None = None

    def __str__(self) -> str:
        return f"{self.statement}{list(self.point)} at {self.date}"


class World:
    """All operations of a system under a mapping, for some parameters."""

    def __init__(self, design: Design, system: str, parameters: Values, aliases: frozenset[str]) -> None:
        self.system: System = design.system(system)
        self.facts: Facts = design.checked.facts
        self.mapping: TargetMapping = design.mapping(system)
        self.parameters = dict(parameters)
        self.aliases = aliases
        self.length = self._length()
        self.before = self._closure()
        self.varying = {0} if self._varies_in_front() else set()
        self.operations = tuple(self._all())
        self.writers: dict[Element, list[Operation]] = defaultdict(list)
        self.by_cell: dict[tuple[str, Point], list[Operation]] = defaultdict(list)
        self.added: dict[Element, list[Operation]] = defaultdict(list)
        for operation in self.operations:
            if operation.role == "body":
                self.added[operation.adds or operation.writes].append(operation)  # type: ignore[index]
            if operation.writes is not None:
                self.writers[operation.writes].append(operation)
                self.by_cell[self.cell(operation.writes)].append(operation)

    # --- the program ---------------------------------------------------------------------------------------------

    def _at(self, names: Sequence[str], point: Point) -> dict[str, int]:
        return {**self.parameters, **dict(zip(names, point, strict=True))}

    def _points(self, domain: Domain) -> list[Point]:
        inside = self.system.context.contains(self.parameters)
        return list(domain.points(self.parameters)) if inside else []

    def reads_of(self, node: Expression, scope: dict[str, int]) -> Iterator[Element]:
        """What evaluating a node reads; both branches of an `if`."""
        match node:
            case Access():
                yield self.through((node.variable, node.function.at(scope)))
            case Case():
                for branch in node.branches:
                    if self.facts.expression_domain[branch].contains(scope):
                        yield from self.reads_of(branch, scope)
            case Compose():
                yield from self.reads_of(node.body, self._at(node.names, node.function.at(scope)))
            case Reduce():
                here = tuple(scope[n] for n in self.facts.context_domain[node].space.names)
                for point in self.body_points(node):
                    inner = self._at(node.projection.domain.names, point)
                    if node.projection.at(inner) == here:
                        yield from self.reads_of(node.body, inner)
            case Restrict():
                assert node.domain.contains(scope)
                yield from self.reads_of(node.body, scope)
            case _:
                for child in children(node):
                    yield from self.reads_of(child, scope)

    def body_points(self, node: Reduce) -> list[Point]:
        return self._points(self.facts.context_domain[node.body])

    def through(self, element: Element) -> Element:
        """What a dropped copy copies, after seeing that both have one cell."""
        while element[0] in self.aliases:
            equation = self.system.equation(element[0])
            assert isinstance(equation, Equation)
            kept, self.aliases = self.aliases, frozenset()
            (source,) = self.reads_of(equation.expression, self._at(equation.indices, element[1]))
            self.aliases = kept
            assert self.cell(source) == self.cell(element), (source, element)
            element = source
        return element

    # --- the mapping ---------------------------------------------------------------------------------------------

    def _length(self) -> int:
        lengths = {len(m.function.outputs) for m in self.mapping.space_time}
        indices = [v.domain.space.dimensions for v in self.system.variables if v.kind is not Kind.INPUT]
        return lengths.pop() if lengths else max(indices, default=0)

    def _varies_in_front(self) -> bool:
        """Whether an ordering in dimension 0 is none, because some statement's date is not constant there."""
        for variable in self.system.variables:
            entry = self.mapping.space_time_of(variable.name)
            if variable.name in self.aliases or (entry is None and variable.kind is Kind.INPUT):
                continue
            if entry is None:
                if variable.domain.space.names:
                    return True
            elif any(f is not None and not f.outputs[0].is_constant for f in (entry.function, entry.init)):
                return True
        return False

    def _closure(self) -> set[tuple[str, str]]:
        def parts(name: str) -> tuple[str, ...]:
            return name, f"{name}.body", f"{name}.init"

        pairs = {(a, b) for order in self.mapping.ordering for a in parts(order.before) for b in parts(order.after)}
        pairs |= {(f"{v.name}.init", f"{v.name}.body") for v in self.system.variables}
        while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
            pairs |= more
        return pairs

    def cell(self, element: Element) -> tuple[str, Point]:
        entry = self.mapping.memory_of(element[0])
        if entry is None:
            return element
        if entry.function is None:
            at = element[1]
        else:
            at = entry.function.at(self._at(entry.function.domain.names, element[1]))
        moduli = entry.moduli or (0,) * len(at)
        return entry.space, tuple(x - m * (x // m) if m else x for x, m in zip(at, moduli, strict=True))

    def _kinds(self, variable: str, date: Point) -> tuple[str, ...]:
        kinds = ["S"] * self.length
        for setting in self.mapping.kinds:
            depth = len(setting.prefix)
            if setting.variable in (None, variable) and date[:depth] == tuple(setting.prefix):
                for dimension in setting.dimensions:
                    kind = setting.kind.value[0]
                    varies = kind == "O" and depth + dimension in self.varying
                    kinds[depth + dimension] = "S" if varies else kind
        return tuple(kinds)

    def _bands(self, date: Point, kinds: tuple[str, ...]) -> tuple[Tiles, ...]:
        found = []
        for band in self.mapping.tiling:
            depth = len(band.prefix)
            if date[:depth] == tuple(band.prefix):
                start, end = depth + band.start, depth + band.end
                sizes = [size or 1 for size in band.sizes[0]]
                while start <= end and kinds[start] == "O":
                    start, sizes = start + 1, sizes[1:]
                if start <= end:
                    found.append(Tiles(start, end, tuple(sizes), any(band.wavefront)))
        return tuple(found)

    # --- operations ----------------------------------------------------------------------------------------------

    def _all(self) -> Iterator[Operation]:
        for variable in self.system.variables:
            name, points = variable.name, self._points(variable.domain)
            if name not in self.aliases:
                yield from self._of(name, points)
            if variable.kind is Kind.OUTPUT:
                for z in points:
                    yield Operation(2, name, z, (), (), (), None, ((self.through((name, z)), False),), "end")

    def _dated(
        self,
        statement: str,
        role: str,
        names: Sequence[str],
        function: object,
        z: Point,
        writes: Element,
        reads: Sequence,
    ) -> Operation:
        variable = writes[0]
        date = z if function is None else function.renamed(tuple(names)).at(self._at(names, z))  # type: ignore[attr-defined]
        date = (*date, *(0,) * (self.length - len(date)))
        kinds = self._kinds(variable, date)
        bands = self._bands(date, kinds)
        return Operation(1, statement, z, date, kinds, bands, writes, tuple(dict.fromkeys(reads)), role)

    def _of(self, name: str, points: list[Point]) -> Iterator[Operation]:
        variable, entry = self.system.variable(name), self.mapping.space_time_of(name)
        names = variable.domain.space.names
        if variable.kind is Kind.INPUT:
            for z in points:
                if entry is None:
                    yield Operation(0, name, z, (), (), (), (name, z), ())
                else:
                    yield self._dated(name, "input", names, entry.function, z, (name, z), ())
            return
        equation = self.system.equation(name)
        assert isinstance(equation, Equation)
        root = equation.expression
        if isinstance(root, Reduce) and entry and len(entry.function.domain.names) == len(root.projection.domain.names):
            yield from self._of_body(name, points, root)
            return
        for z in points:
            reads = [(e, False) for e in self.reads_of(root, self._at(equation.indices, z))]
            function = entry.function if entry else None
            yield self._dated(name, "value", equation.indices, function, z, (name, z), reads)

    def _of_body(self, name: str, points: list[Point], root: Reduce) -> Iterator[Operation]:
        entry = self.mapping.space_time_of(name)
        assert entry is not None
        names = root.projection.domain.names
        filled = set()
        for point in self.body_points(root):
            scope = self._at(names, point)
            z = root.projection.at(scope)
            filled.add(z)
            reads, running = [(e, False) for e in self.reads_of(root.body, scope)], [((name, z), True)]
            body = self._dated(f"{name}.body", "body", names, entry.function, point, (name, z), [*reads, *running])
            if "R" not in body.kinds:
                yield body
                continue
            yield replace(body, writes=None, adds=(name, z), reads=tuple(dict.fromkeys(reads)))
            yield replace(body, statement=f"{name}.merge", role="merge", reads=tuple(running))
        for z in points:
            if entry.init is not None:
                indices = entry.init.domain.names
                yield self._dated(f"{name}.init", "init", indices, entry.init, z, (name, z), ())
            elif z not in filled:
                yield Operation(0, name, z, (), (), (), (name, z), ())

    # --- order ---------------------------------------------------------------------------------------------------

    def precedes(self, a: Operation, b: Operation, mode: str = PLAIN) -> bool:
        """By the definition; under tiling, for every way in which tiles may (or, of given sizes, do) hold the two."""
        if a is b:
            return False
        if a.moment != b.moment:
            return a.moment < b.moment
        if a.moment != 1:
            return False
        return all(self._ordered(a, b, x, y) is True for x, y in self._loops(a, b, mode))

    def _ordered(self, a: Operation, b: Operation, x: Loops, y: Loops) -> bool | None:
        """Whether a precedes b; None where a reduction dimension keeps contributions apart."""
        x, y = (loops[: self._merged(operation, loops)] for operation, loops in ((a, x), (b, y)))
        for (here, one), (there, two) in zip(x, y, strict=False):
            if here != there:
                kinds = {one, two}
                if kinds == {"R"}:
                    return None
                return here < there and not kinds & {"P", "R"}
        if "merge" in (a.role, b.role):
            return a.role != "merge"
        return (a.statement, b.statement) in self.before

    @staticmethod
    def _merged(operation: Operation, loops: Loops) -> int:
        """A merge stands behind the outermost loop of kind R: only what is before that loop is its date."""
        kinds = [kind for _, kind in loops]
        return kinds.index("R") if operation.role == "merge" else len(kinds)

    def _loops(self, a: Operation, b: Operation, mode: str) -> Iterator[tuple[Loops, Loops]]:
        if mode == EXACT:
            yield self._exact(a), self._exact(b)
            return
        bands = sorted(set(a.bands) & set(b.bands)) if mode == TILED else []
        choices: list[tuple[int, int, bool]] = []
        for band in bands:
            choices += [(band.start, d, a.date[d] != b.date[d]) for d in band.tiled(a.kinds, b.kinds)]
        for together in product(*((True, False) if differ else (True,) for *_, differ in choices)):
            x: list[tuple[int, str]] = []
            y: list[tuple[int, str]] = []
            for d in range(self.length):
                for (start, tile, _), same in zip(choices, together, strict=True):
                    if start == d:
                        x.append((0 if same else a.date[tile], a.kinds[tile]))
                        y.append((0 if same else b.date[tile], b.kinds[tile]))
                x.append((a.date[d], a.kinds[d]))
                y.append((b.date[d], b.kinds[d]))
            yield tuple(x), tuple(y)

    def _exact(self, a: Operation) -> Loops:
        """The values of the loops of tiles of the sizes given, and of the dates."""
        found: list[tuple[int, str]] = []
        for d in range(self.length):
            for band in a.bands:
                if band.start == d:
                    tiled = [(t, band.sizes[t - band.start]) for t in band.tiled(a.kinds, a.kinds)]
                    numbers = [(a.date[t] // size, a.kinds[t]) for t, size in tiled]
                    if band.wavefront and len(numbers) > 1:
                        numbers = [(sum(n for n, _ in numbers), "S"), *((n, "P") for n, _ in numbers[1:])]
                    found += numbers
            found.append((a.date[d], a.kinds[d]))
        return tuple(found)

    def unordered(self, a: Operation, b: Operation, mode: str) -> bool:
        return not self.precedes(a, b, mode) and not self.precedes(b, a, mode)

    def clash(self, a: Operation, b: Operation, mode: str) -> bool:
        """Whether two contributions to one result are unordered without going into accumulators of their own."""

        def harmless(one: Operation, two: Operation) -> bool:
            return all(self._ordered(one, two, x, y) is not False for x, y in self._loops(one, two, mode))

        return not harmless(a, b) and not harmless(b, a)

    # --- obligations ---------------------------------------------------------------------------------------------

    def violations(self, mode: str = PLAIN) -> dict[str, list[str]]:
        """What is violated, by rule code, each with words."""
        found: dict[str, list[str]] = defaultdict(list)
        if mode == PLAIN:
            self._one_date(found)
        for operation in self.operations:
            for element, running in operation.reads:
                self._causality(found, operation, element, running, mode)
                self._kept(found, operation, element, mode)
        for writers in self.by_cell.values():
            for a, b in combinations(writers, 2):
                if a.writes != b.writes and self.unordered(a, b, mode):
                    found["AZ701"].append(f"{a} and {b}")
        for results in self.added.values():
            for a, b in combinations(results, 2):
                if self.clash(a, b, mode):
                    found["AZ503"].append(f"{a} and {b}")
        return dict(found)

    def _one_date(self, found: dict[str, list[str]]) -> None:
        at: dict[tuple[str, Point], Operation] = {}
        for operation in self.operations:
            if operation.moment == 1 and operation.role != "merge":
                other = at.setdefault((operation.statement, operation.date), operation)
                if other is not operation:
                    found["AZ501"].append(f"{other} and {operation}")

    def _causality(
        self, found: dict[str, list[str]], reader: Operation, element: Element, running: bool, mode: str
    ) -> None:
        for writer in self.writers[element]:
            if (not running or writer.role == "init") and not self.precedes(writer, reader, mode):
                found["AZ502"].append(f"{reader} reads {element} of {writer}")

    def _kept(self, found: dict[str, list[str]], reader: Operation, element: Element, mode: str) -> None:
        writers = self.writers[element]
        firsts = [w for w in writers if w.role == "init"] or writers
        for other in self.by_cell[self.cell(element)]:
            if other.writes == element or other is reader or self.precedes(reader, other, mode):
                continue
            if all(self.precedes(other, first, mode) for first in firsts):
                continue
            input_ = self.system.variable(element[0]).kind is Kind.INPUT
            code = "AZ602" if reader.moment == 2 else "AZ603" if input_ else "AZ601"
            found[code].append(f"{reader} reads {element}, overwritten by {other}")
