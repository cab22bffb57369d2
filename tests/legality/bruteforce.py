"""An independent verifier for given parameters: every operation is enumerated, ≺ is computed by its definition on plain
integers, and every obligation of verifier.md is looked at pair by pair.

It shares with the verifier proper only the program, the mapping as stated, and membership in domains. (Which copies are
dropped is taken from the verifier and checked here.)
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from alphaz.mapping.aliases import Aliases
from alphaz.mapping.design import Design
from alphaz.mapping.factors import value_at
from alphaz.mapping.target_mapping import SpaceTimeMap, TargetMapping
from alphaz.model.expression import Reduce
from alphaz.model.program import Equation, Kind, System, UseEquation
from alphaz.poly import AffineFunction, Domain
from tests.legality.brute_force_calls import Call
from tests.legality.plain_order import PLAIN, Element, Operation, Order, Point, closed, nest, parts
from tests.legality.plain_reads import Reader, Values, at, contains

Violations = dict[str, list[str]]


class World:
    """All operations of a system under a mapping, for some parameters."""

    def __init__(
        self, design: Design, system: str, parameters: Values, aliases: Aliases, reader: Reader | None = None
    ) -> None:
        self.design = design
        self.system: System = design.system(system)
        self.mapping: TargetMapping = design.mapping(system)
        self.parameters, self.aliases = dict(parameters), aliases
        self._cells: dict[Element, tuple[str, Point]] = {}
        self._private = {entry.variable: entry.dimensions for entry in self.mapping.private}
        self.reader = reader or Reader(design)
        uses = [q for q in self.system.equations if isinstance(q, UseEquation)]
        self.calls = [Call(self, use) for use in uses]
        length = self._length()
        self.order = Order(self.mapping, length, self._before())
        self.order = replace(self.order, varying=self._varying(length))
        self.order = replace(self.order, every=self._every(length))
        self.operations = tuple(self._all())
        self.writers: dict[Element, list[Operation]] = defaultdict(list)
        self.by_cell: dict[tuple[str, Point], list[tuple[Operation, Element]]] = defaultdict(list)
        self.added: dict[Element, list[Operation]] = defaultdict(list)
        for operation in self.operations:
            if operation.role == "body":
                self.added[operation.adds or operation.writes[0]].append(operation)
            for element in operation.writes:
                self.writers[element].append(operation)
                self.by_cell[self.cell(element)].append((operation, element))

    def precedes(self, a: Operation, b: Operation, mode: str = PLAIN) -> bool:
        return self.order.precedes(a, b, mode)

    def clash(self, a: Operation, b: Operation, mode: str) -> bool:
        return self.order.clash(a, b, mode)

    # --- the program ---------------------------------------------------------------------------------------------

    def _at(self, names: Sequence[str], point: Point) -> dict[str, int]:
        return at(self.parameters, names, point)

    def points(self, domain: Domain) -> list[Point]:
        inside = contains(self.system.context, self.parameters)
        return list(domain.points(self.parameters)) if inside else []

    def reads_of(self, expression: object, scope: Values) -> Iterator[Element]:
        """Returns the elements that an operation with this expression reads, through dropped copies."""
        reads = self.reader.reads(expression, scope, self.parameters)  # type: ignore[arg-type]
        return map(self.through, dict.fromkeys(reads))

    def dropped(self, element: Element) -> bool:
        """Returns True if the element is only a copy of what its cell holds."""
        name, z = element
        return any(contains(c.domain, self._at(c.domain.space.names, z)) for c in self.aliases.steps.get(name, ()))

    def through(self, element: Element) -> Element:
        """Returns the source of a dropped copy, after a check that both have the same cell and value."""
        seen = {element}
        while self.dropped(element):
            equation = self.system.equation(element[0])
            assert isinstance(equation, Equation)
            scope = self._at(equation.indices, element[1])
            (source,) = self.reader.reads(equation.expression, scope, self.parameters)
            assert self.cell(source) == self.cell(element), (source, element)
            assert source not in seen, f"copies in a circle: {seen}"
            seen.add(source)
            element = source
        return element

    # --- the mapping ---------------------------------------------------------------------------------------------

    def _length(self) -> int:
        lengths = {len(m.function.outputs) for m in self.mapping.space_time}
        if lengths:
            return lengths.pop()
        indices = [v.domain.space.dimensions for v in self.system.variables if v.kind is not Kind.INPUT]
        indices += [q.extension.space.dimensions for q in self.system.equations if isinstance(q, UseEquation)]
        return max((*indices, *(len(a.function.outputs) for a in self.mapping.argument_dates)), default=0)

    def _varying(self, length: int) -> frozenset[tuple[int, tuple[int | None, ...]]]:
        """Returns the ordering dimensions without effect, because some date of a nest is not constant there."""
        results: frozenset[tuple[int, tuple[int | None, ...]]] = frozenset({(0, ())} if self._varies_in_front() else ())
        maps = {m.variable: m.function.outputs for m in self.mapping.space_time}
        for d in range(1, length):
            order, new = replace(self.order, varying=results), set[tuple[int, tuple[int | None, ...]]]()
            for variable, outputs in maps.items():
                date = tuple(o.constant if o.is_constant else None for o in outputs)
                kinds = order.kinds(variable, date)
                if kinds[d] == "O" and date[d] is None:
                    new.add((d, nest(kinds, date, d)))
            results |= new
        return results

    def _every(self, length: int) -> list[tuple[tuple[int | None, ...], tuple[str, ...]]]:
        """Of every statement the constants in its dates, and its kinds."""
        maps = [(m.variable, f) for m in self.mapping.space_time for f in (m.function, m.init) if f is not None]
        maps += [(date.label, date.function) for date in self.mapping.argument_dates]
        dates = [(name, tuple(o.constant if o.is_constant else None for o in f.outputs)) for name, f in maps]
        without = {v.name: v.domain for v in self.system.variables if v.kind is not Kind.INPUT}
        without |= {call.label: call.use.extension for call in self.calls}
        known = {
            *(name for name, _ in maps),
            *self.aliases.whole_variables,
            *(n for call in self.calls for n in call.use.outputs),
        }
        for name in without.keys() - known:
            own = without[name].space.dimensions
            dates.append((name, (*(None,) * own, *(0,) * (length - own))))
        return [(date, self.order.kinds(name, date)) for name, date in dates]

    def _varies_in_front(self) -> bool:
        """Returns True if an ordering in dimension 0 is none, because some statement's date is not constant there."""
        results = {name for call in self.calls for name in call.use.outputs}
        for variable in self.system.variables:
            entry = self.mapping.space_time_of(variable.name)
            name, is_input = variable.name, variable.kind is Kind.INPUT
            if name in results or name in self.aliases.whole_variables or (entry is None and is_input):
                continue
            if self._varies(entry, variable.domain):
                return True
        return any(
            self._varies(self.mapping.space_time_of(call.label), call.use.extension) or call.varies()
            for call in self.calls
        )

    @staticmethod
    def _varies(entry: SpaceTimeMap | None, domain: Domain) -> bool:
        if entry is None:
            return bool(domain.space.names)
        return any(f is not None and not f.outputs[0].is_constant for f in (entry.function, entry.init))

    def _before(self) -> set[tuple[str, str]]:
        named = {call.label: call.statements for call in self.calls}
        pairs = {(f"{v.name}.init", f"{v.name}.body") for v in self.system.variables}
        for order in self.mapping.ordering:
            first, second = (parts(n, named.get(n, ())) for n in (order.before, order.after))
            pairs |= {(a, b) for a in first for b in second}
        return closed(pairs.union(*(call.before for call in self.calls)))

    def space(self, variable: str) -> str:
        entry = self.mapping.memory_of(variable)
        return variable if entry is None else entry.space

    def cell(self, element: Element) -> tuple[str, Point]:
        if element not in self._cells:
            self._cells[element] = self._cell(element)
        return self._cells[element]

    def _cell(self, element: Element) -> tuple[str, Point]:
        name, z = element
        for call in self.calls:
            if name in call.arrays:
                return call.cell(element)
        entry = self.mapping.memory_of(name)
        if entry is None:
            return name, (*self._iteration(element), *z)
        where = z if entry.function is None else entry.function.at(self._at(entry.function.domain.names, z))
        moduli = [value_at(m, self.parameters) for m in entry.moduli or (0,) * len(where)]
        own = tuple(x - m * (x // m) if m else x for x, m in zip(where, moduli, strict=True))
        return entry.space, (*self._iteration(element), *own)

    def _iteration(self, element: Element) -> Point:
        """The iteration that has memory of its own for the element; empty where memory is that of the whole run."""
        outer, dates = self._private.get(element[0], 0), self.mapping.space_time_of(element[0])
        return dates.function.at(self._at(dates.function.domain.names, element[1]))[:outer] if outer and dates else ()

    def dated(
        self,
        statement: str,
        variable: str,
        names: Sequence[str],
        function: AffineFunction | None,
        result: AffineFunction | None = None,
    ) -> Callable[..., Operation]:
        """A maker of operations: (their point, further fields by name) -> the operation. With the result of a body, a
        reduction dimension that it decides is parallel.
        """
        renamed = None if function is None else function.renamed(tuple(names))

        def make(point: Point, **fields: object) -> Operation:
            date = point if renamed is None else renamed.at(self._at(names, point))
            date = (*date, *(0,) * (self.order.length - len(date)))
            kinds = self.order.kinds(variable, date)
            if result is not None and renamed is not None:
                kinds = tuple("P" if k == "R" and _spans(result, renamed, d) else k for d, k in enumerate(kinds))
            bands, loops = self.order.bands(date, kinds), tuple(zip(date, kinds, strict=True))
            return Operation(1, statement, point, date, kinds, bands, loops=loops, **fields)  # type: ignore[arg-type]

        return make

    # --- operations ----------------------------------------------------------------------------------------------

    def _all(self) -> Iterator[Operation]:
        results = {name for call in self.calls for name in call.use.outputs}
        for variable in self.system.variables:
            name, points = variable.name, self.points(variable.domain)
            if name not in results:
                yield from self._of(name, [z for z in points if not self.dropped((name, z))])
            if variable.kind is Kind.OUTPUT:
                for z in points:
                    yield Operation(2, name, z, reads=((self.through((name, z)), False),), role="end")
        for call in self.calls:
            yield from call.operations()

    def _of(self, name: str, points: list[Point]) -> Iterator[Operation]:
        variable, entry = self.system.variable(name), self.mapping.space_time_of(name)
        if variable.kind is Kind.INPUT:
            make = self.dated(name, name, variable.domain.space.names, entry.function) if entry else None
            for z in points:
                yield Operation(0, name, z, writes=((name, z),)) if make is None else make(z, writes=((name, z),))
            return
        equation = self.system.equation(name)
        assert isinstance(equation, Equation)
        root = equation.expression
        if isinstance(root, Reduce) and entry and len(entry.function.domain.names) == len(root.projection.domain.names):
            yield from self._of_body(name, points, root, entry)
            return
        make = self.dated(name, name, equation.indices, entry.function if entry else None)
        for z in points:
            reads = tuple((e, False) for e in self.reads_of(root, self._at(equation.indices, z)))
            yield make(z, writes=((name, z),), reads=reads)

    def _of_body(self, name: str, points: list[Point], root: Reduce, entry: SpaceTimeMap) -> Iterator[Operation]:
        names = root.projection.domain.names
        body = self.dated(f"{name}.body", name, names, entry.function, root.projection)
        merge = self.dated(f"{name}.merge", name, names, entry.function, root.projection)
        filled = set()
        for z, contributions in self.reader.bodies(root, self.parameters).items():
            for point in contributions:
                filled.add(z)
                reads = tuple((e, False) for e in self.reads_of(root.body, self._at(names, point)))
                running = (((name, z), True),)
                made = body(point, writes=((name, z),), reads=(*reads, *running), role="body")
                if "R" not in made.kinds:
                    yield made
                    continue
                yield body(point, adds=(name, z), reads=reads, role="body")
                yield merge(point, writes=((name, z),), reads=running, role="merge")
        init = None if entry.init is None else self.dated(f"{name}.init", name, entry.init.domain.names, entry.init)
        for z in points:
            if init is not None:
                yield init(z, writes=((name, z),), role="init")
            elif z not in filled:
                yield Operation(0, name, z, writes=((name, z),))

    # --- obligations ---------------------------------------------------------------------------------------------

    def violations(self, mode: str = PLAIN) -> Violations:
        """Returns the violations by rule code, each with a text."""
        result: Violations = defaultdict(list)
        if mode == PLAIN:
            self._one_date(result)
        for operation in self.operations:
            for element, running in operation.reads:
                self._causality(result, operation, element, running, mode)
                self._kept(result, operation, element, mode)
        for writes in self.by_cell.values():
            self._races(result, writes, mode)
        for results in self.added.values():
            for a, b in combinations(results, 2):
                if self.clash(a, b, mode):
                    result["AZ503"].append(f"{a} and {b}")
        for call in self.calls:
            for complaint in call.complaints(mode):
                result["AZ604"].append(complaint)
        if mode == PLAIN:
            result["AZ504"] += self._instances()
            result["AZ605"] += self._other_iterations()
        return {code: found for code, found in result.items() if found}

    def _instances(self) -> Iterator[str]:
        """Yields the values of which not one instance is kept."""
        for name in {entry.variable for entry in self.mapping.kept}:
            equation = self.system.equation(name)
            assert isinstance(equation, Equation)
            assert isinstance(equation.expression, Reduce)
            bodies = self.reader.bodies(equation.expression, self.parameters)
            for z in self.points(self.system.variable(name).domain):
                if (count := len(bodies.get(z, ()))) != 1:
                    yield f"{name}{z} has {count} instances"

    def _other_iterations(self) -> Iterator[str]:
        """Yields the reads of private memory of another iteration."""
        for reader in self.operations:
            for element, _ in reader.reads:
                own = self._iteration(element)
                if own and reader.date[: len(own)] != own:
                    yield f"{reader} reads {element} of {own}"

    def _one_date(self, violations: Violations) -> None:
        seen: dict[tuple[str, Point], Operation] = {}
        for operation in self.operations:
            if operation.moment == 1 and operation.role not in ("merge", "alloc", "free"):
                other = seen.setdefault((operation.statement, operation.date), operation)
                if other is not operation:
                    violations["AZ501"].append(f"{other} and {operation}")

    def _causality(self, violations: Violations, reader: Operation, element: Element, running: bool, mode: str) -> None:
        for writer in self.writers[element]:
            if (not running or writer.role == "init") and not self.precedes(writer, reader, mode):
                violations["AZ502"].append(f"{reader} reads {element} of {writer}")

    def _kept(self, violations: Violations, reader: Operation, element: Element, mode: str) -> None:
        writers = self.writers[element]
        firsts = [w for w in writers if w.role == "init"] or writers
        for other, item in self.by_cell[self.cell(element)]:
            if item == element or self.precedes(reader, other, mode):
                continue
            if other is reader and not (element in reader.read_directly and item in reader.written_directly):
                continue
            if all(self.precedes(other, first, mode) for first in firsts):
                continue
            violations[self.rule(reader, element)].append(f"{reader} reads {element}, overwritten by {other}")

    def rule(self, reader: Operation, element: Element) -> str:
        """The code of what is wrong when the element is lost to this reader."""
        is_input = any(v.name == element[0] for v in self.system.inputs)
        return "AZ602" if reader.moment == 2 else "AZ603" if is_input else "AZ601"

    def _races(self, violations: Violations, writes: Sequence[tuple[Operation, Element]], mode: str) -> None:
        for (one, element), (two, other) in combinations(writes, 2):
            if element == other:
                continue
            if one is two and not {element, other} <= one.written_directly:
                continue
            if self.order.unordered(one, two, mode):
                violations["AZ701"].append(f"{one} and {two}")


def _spans(result: AffineFunction, date: AffineFunction, at: int) -> bool:
    """Returns True if a component of the dates is a linear combination of the components of the result."""
    rows = [[output.coefficient(name) for name in date.domain.names] for output in result.outputs]
    row = [date.outputs[at].coefficient(name) for name in date.domain.names]
    if not any(row):
        return True
    return bool(rows) and bool(np.linalg.matrix_rank([*rows, row]) == np.linalg.matrix_rank(rows))


def world(design: Design, system: str, size: Mapping[str, int] | int, aliases: Aliases | None = None) -> World:
    """For parameters given one by one, or all of one size."""
    names = design.system(system).parameters
    values = dict.fromkeys(names, size) if isinstance(size, int) else size
    return World(design, system, values, aliases or Aliases())
