"""Operations that share blocks of a matrix, and nothing inside them: each does a panel of columns before any does the
next one, so that what the first has read is still in a cache for the others. `A'*y` and then `A*x` with its result read
the matrix once, although neither can share a loop with the other.

The nests of a panel have dates of one band of tiles, of which one loop is cut: the columns. Several rows are done at
once, in registers: so as many streams come from memory, and a sum is stored once for all of them. Sums over columns
begin in front of all panels, sums over rows in front of their nest.
Source: Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), 5.2.4: partitions
that operations share, with loops inside that they do not.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from alphaz.diagnostics import Source
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role
from alphaz.mapping.statements import resolve
from alphaz.poly import Affine
from alphaz.search.schedule.accesses import reads_of, written_access
from alphaz.search.schedule.line import Apply, Line
from alphaz.tuning.fusion import FusionOperations, FusionStep, Lines, script
from alphaz.tuning.space import Point, SearchAxis, SearchSpace, Unproved

_COLUMNS, _ROWS, _THREADS = "columns of a panel", "rows of a panel in registers", "panels"
_SIZES, _REGISTERS = ("128", "64", "256", "32"), ("8", "4", "2", "16")
_PARALLEL, _SEQUENTIAL = "parallel", "sequential"
# Ordering prefixes: what begins in front of the panels, and the panels; what is behind them follows.
_FRONT, _PANELS = 0, 1
# The dimensions of a panel behind its prefix: the number of the nest, then these.
_ROW, _COLUMN, _ORDER = 1, 2, 3
# Steps of a nest have all their loops in common.
Nests = tuple[tuple[FusionStep, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class PanelSpace(SearchSpace):
    """The first operations, as many as can, are `nests` of a panel; each of the `rest` is done behind all panels.
    `source` is the beginning of all its scripts. The model looks at the usual number of columns: which of them a cache
    holds beside other things, time has to tell.
    """

    operations: FusionOperations
    apply: Apply
    nests: Nests
    rest: tuple[FusionStep, ...]

    @staticmethod
    def of(operations: FusionOperations, source: Source, apply: Apply) -> "PanelSpace | None":
        """None where no two nests would have a matrix in common."""
        nests: Nests = ()
        rest = tuple(FusionStep(name, operations.along_memory(name)) for name in operations.names)
        while rest:
            tried = (
                PanelSpace._with(operations, source, apply, grown, rest[1:])
                for grown in _grow_nests(operations, nests, rest[0])
            )
            found = next((each for each in tried if each._is_proved()), None)
            if found is None:
                break
            nests, rest = found.nests, found.rest
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
        """In vectors, without threads."""
        kept = self.operations.extended(self._dates(point), self._vectors(), self.apply)
        return resolve(self.operations.designed(kept, self.apply), self.operations.system)

    def outline(self, point: Point) -> Hashable:
        return ()

    def departure(self, point: Point, mapping: ResolvedMapping) -> str:
        """In its dates, or in its panels."""
        planned = self.outlined(point)
        dates = {statement.name: str(statement.date) for statement in planned.statements}
        for statement in mapping.statements:
            if dates.get(statement.name) != str(statement.date):
                return f"the dates of {statement.name} are {statement.date}, not {dates.get(statement.name)}"
        found, wanted = ([band.sizes for band in each.bands] for each in (mapping, planned))
        return "" if found == wanted else f"the panels are {found}, not {wanted}"

    def written(self, point: Point) -> str:
        """The script: dates, threads and vectors where they are proved, memory as it is proposed."""
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
        """When it is done, and when its sums begin, if that is said."""
        dates = [(self.operations.loops(step.operation), values)]
        dates += [(self.operations.results(step.operation), start)] if start else []
        maps = (f"({','.join(of)} -> {','.join([*date, *['0'] * (width - len(date))])})" for of, date in dates)
        return Line("setSpaceTimeMap", (step.operation, *maps))

    def _start(self, step: FusionStep, number: int) -> Sequence[str]:
        """Of a sum, in the indices of its results: those over rows in front of their nest, others in front of all."""
        statement, results = self.operations.problem.statements[step.operation], self.operations.results(step.operation)
        if statement.role is not Role.BODY:
            return ()
        if written_access(statement).indices == (Affine.name(step.loops[-1]),):
            return self._dated(results, number, 0)
        return (str(_FRONT), *results)

    @property
    def _fronts(self) -> bool:
        """Whether anything that has indices begins in front of all panels."""
        starts = (self._start(step, 0) for nest in self.nests for step in nest)
        return any(start[0] == str(_FRONT) and len(start) > 1 for start in starts if start)

    @property
    def _others(self) -> Iterator[tuple[str, int]]:
        """What is done besides the panels: the prefix, and how many loops there are."""
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
        """Of what they do each thread has vectors anyway."""
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
    """With one more operation: in the last nest, or in one of its own, over the same columns."""
    if not 1 <= len(step.loops) <= 2:
        return
    if nests and len(nests[-1][0].loops) == len(step.loops) == operations.alike(nests[-1][0], step):
        yield (*nests[:-1], (*nests[-1], step))
    columns = [FusionStep(each.operation, each.loops[-1:]) for each in (*(nest[0] for nest in nests[:1]), step)]
    if len(columns) == 1 or operations.alike(columns[0], columns[1]):
        yield (*nests, (step,))


def _is_worth_while(operations: FusionOperations, nests: Nests) -> bool:
    """Whether two nests touch one matrix."""
    matrices = [{name for step in nest for name in _matrices(operations, step.operation)} for nest in nests]
    return any(one & other for at, one in enumerate(matrices) for other in matrices[:at])


def _matrices(operations: FusionOperations, name: str) -> Iterator[str]:
    problem = operations.problem
    for access in (written_access(problem.statements[name]), *reads_of(problem, name)):
        if len(access.indices) > 1:
            yield access.variable
