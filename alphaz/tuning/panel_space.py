"""Panels: operations share blocks of a matrix, but no inner loops. Each computes a panel of columns before any computes
the next one, so that a later one finds the data of the first in a cache. `A'*y` and then `A*x` with its result read
the matrix once, although neither can share a loop with the other.

The nests of a panel have dates of one band of tiles, of which one loop is blocked: the columns. Several rows are
computed at once, in registers: there are as many memory streams, and a sum is stored once for all of them. Sums over
columns begin before all panels, sums over rows before their nest.
Source: Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), 5.2.4: partitions
that operations share, with inner loops that they do not share."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from alphaz.diagnostics import Source
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role
from alphaz.poly import Affine
from alphaz.search.schedule.script_lines import Apply, Line
from alphaz.search.schedule.statement_accesses import reads_of, written_access
from alphaz.tuning.fusion import FusionOperations, FusionStep, Lines, script
from alphaz.tuning.space import Point, SearchAxis, SearchSpace, Unproved

_COLUMNS, _ROWS, _THREADS = "columns of a panel", "rows of a panel in registers", "panels"
_SIZES, _REGISTERS = ("128", "64", "256", "32"), ("8", "4", "2", "16")
_PARALLEL, _SEQUENTIAL = "parallel", "sequential"
# Ordering prefixes: the operations before the panels, and the panels; later operations follow.
_FRONT, _PANELS = 0, 1
# The dimensions of a panel after its prefix: the number of the nest, then these.
_ROW, _COLUMN, _ORDER = 1, 2, 3
# Steps of a nest have all their loops in common.
Nests = tuple[tuple[FusionStep, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class PanelSpace(SearchSpace):
    """A space of panels. The longest possible prefix of operations are the `nests` of a panel; each of the `rest` runs
    after all panels. `source` is the beginning of all its scripts. The model evaluates the usual number of columns;
    timing decides which numbers fit in a cache."""

    operations: FusionOperations
    apply: Apply
    nests: Nests
    rest: tuple[FusionStep, ...]

    @staticmethod
    def of(operations: FusionOperations, source: Source, apply: Apply) -> "PanelSpace | None":
        """Returns the space; None if no two nests would share a matrix."""
        nests: Nests = ()
        rest = tuple(FusionStep(name, operations.along_memory(name)) for name in operations.names)
        while rest:
            candidates = (
                PanelSpace._with(operations, source, apply, grown, rest[1:])
                for grown in _grow_nests(operations, nests, rest[0])
            )
            space = next((candidate for candidate in candidates if candidate._is_proved()), None)
            if space is None:
                break
            nests, rest = space.nests, space.rest
        return PanelSpace._with(operations, source, apply, nests, rest) if _is_worth_while(operations, nests) else None

    @staticmethod
    def _with(
        operations: FusionOperations, source: Source, apply: Apply, nests: Nests, rest: tuple[FusionStep, ...]
    ) -> "PanelSpace":
        axes = (
            SearchAxis(_COLUMNS, _SIZES, (), is_fine=True),
            SearchAxis(_ROWS, _REGISTERS, (), is_fine=True),
            SearchAxis(_THREADS, (_PARALLEL, _SEQUENTIAL), (), is_fine=True),
        )
        return PanelSpace(source=source, axes=axes, operations=operations, apply=apply, nests=nests, rest=rest)

    def _is_proved(self) -> bool:
        try:
            self.operations.designed(self._dates(self.usual), self.apply)
        except Unproved:
            return False
        return True

    def outlined(self, point: Point) -> ResolvedMapping:
        """Returns the mapping with vectors, without threads."""
        lines = self.operations.extended(self._dates(point), self._vectors(), self.apply)
        return resolve(self.operations.designed(lines, self.apply), self.operations.system)

    def outline(self, point: Point) -> Hashable:
        return ()

    def departure(self, point: Point, mapping: ResolvedMapping) -> str:
        """Returns a difference in its dates, or in its panels."""
        planned = self.outlined(point)
        dates = {statement.name: str(statement.date) for statement in planned.statements}
        for statement in mapping.statements:
            if dates.get(statement.name) != str(statement.date):
                return f"the dates of {statement.name} are {statement.date}, not {dates.get(statement.name)}"
        sizes, planned_sizes = ([band.sizes for band in mapping_.bands] for mapping_ in (mapping, planned))
        return "" if sizes == planned_sizes else f"the panels are {sizes}, not {planned_sizes}"

    def script_of(self, point: Point) -> str:
        """Returns the script: dates; threads and vectors if they are proved; the proposed memory mapping."""
        below = self._threads() if self.chosen(point)[_THREADS] == _PARALLEL else self._vectors()
        return script(self.source, self.operations.extended(self._dates(point), below, self.apply))

    def _dates(self, point: Point) -> Iterator[Line]:
        width = max([2 + _ORDER, *(1 + len(step.loops) for step in self.rest)])
        for number, nest in enumerate(self.nests):
            for order, step in enumerate(nest):
                values, start = self._dated(step.loops, 2 * number + 1, order), self._start(step, 2 * number)
                yield self._date(step, values, width, start)
        for place, step in enumerate(self.rest, _PANELS + 1):
            yield self._date(step, [str(place), *step.loops], width)
        yield Line("setOrderingDimensions", ("0",))
        chosen, panels = self.chosen(point), str(_PANELS)
        yield Line("setBandForTiling", ("panels", panels, 0, _ORDER, f"0,0,{chosen[_COLUMNS]},0"))
        yield Line("setRegisterTile", (panels, _ROW, int(chosen[_ROWS])))

    def _dated(self, loops: Sequence[str], number: int, order: int) -> list[str]:
        row = loops[0] if len(loops) > 1 else "0"
        return [str(_PANELS), str(number), row, loops[-1], str(order)]

    def _date(self, step: FusionStep, values: Sequence[str], width: int, start: Sequence[str] = ()) -> Line:
        """The space-time map of a step, with the start of its sums, if stated."""
        dates = [(self.operations.loops(step.operation), values)]
        dates += [(self.operations.results(step.operation), start)] if start else []
        maps = (f"({','.join(of)} -> {','.join([*date, *['0'] * (width - len(date))])})" for of, date in dates)
        return Line("setSpaceTimeMap", (step.operation, *maps))

    def _start(self, step: FusionStep, number: int) -> Sequence[str]:
        """The start of a sum, in the indices of its results: of sums over rows before their nest, of others before all
        panels."""
        statement, results = self.operations.problem.statements[step.operation], self.operations.results(step.operation)
        if statement.role is not Role.BODY:
            return ()
        if written_access(statement).indices == (Affine.name(step.loops[-1]),):
            return self._dated(results, number, 0)
        return (str(_FRONT), *results)

    @property
    def _fronts(self) -> bool:
        """Returns True if a variable with indices begins before all panels."""
        starts = (self._start(step, 0) for nest in self.nests for step in nest)
        return any(start[0] == str(_FRONT) and len(start) > 1 for start in starts if start)

    @property
    def _others(self) -> Iterator[tuple[str, int]]:
        """The operations outside the panels: the prefix, and the number of loops."""
        if self._fronts:
            yield str(_FRONT), 1
        for place, step in enumerate(self.rest, _PANELS + 1):
            if step.loops:
                yield str(place), len(step.loops)

    def _vectors(self) -> Iterator[Iterable[Lines]]:
        yield _in_vectors(str(_PANELS), _COLUMN)
        for prefix, depth in self._others:
            yield _in_vectors(prefix, depth - 1)

    def _threads(self) -> Iterator[Iterable[Lines]]:
        """Alternatives for threads; each thread vectorises its part anyway."""
        yield _shared_lines(str(_PANELS), _COLUMN)
        for prefix, depth in self._others:
            yield _shared_lines(prefix, 0)
            if depth > 1:
                yield _in_vectors(prefix, depth - 1)


def _shared_lines(prefix: str, dimension: int) -> Iterable[Lines]:
    return ((Line(verb, (prefix, dimension)),) for verb in ("setParallel", "setReductionDimension"))


def _in_vectors(prefix: str, dimension: int) -> Iterable[Lines]:
    return ((Line("setVectorDimension", (prefix, dimension)),),)


def _grow_nests(operations: FusionOperations, nests: Nests, step: FusionStep) -> Iterator[Nests]:
    """The nests with one more operation: in the last nest, or in one of its own, over the same columns."""
    if not 1 <= len(step.loops) <= 2:
        return
    if nests and len(nests[-1][0].loops) == len(step.loops) == operations.alike(nests[-1][0], step):
        yield (*nests[:-1], (*nests[-1], step))
    columns = [FusionStep(nest_.operation, nest_.loops[-1:]) for nest_ in (*(nest[0] for nest in nests[:1]), step)]
    if len(columns) == 1 or operations.alike(columns[0], columns[1]):
        yield (*nests, (step,))


def _is_worth_while(operations: FusionOperations, nests: Nests) -> bool:
    """Returns True if two nests read one matrix."""
    matrices = [{name for step in nest for name in _matrices(operations, step.operation)} for nest in nests]
    return any(matrix & other for position, matrix in enumerate(matrices) for other in matrices[:position])


def _matrices(operations: FusionOperations, name: str) -> Iterator[str]:
    problem = operations.problem
    for access in (written_access(problem.statements[name]), *reads_of(problem, name)):
        if len(access.indices) > 1:
            yield access.variable
