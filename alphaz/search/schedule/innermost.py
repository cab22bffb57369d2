"""Strategies for innermost loops: vectorisation along memory, or several iterations of the enclosing loop at once.

If neighbours of a parallel loop lie in one line of memory, while the loop inside goes from line to line, several
columns are computed at once, in vectors. If the loop inside is a recurrence along a line, several of them are
interleaved to hide its latency."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Component, ComponentKind, Dates
from alphaz.search.schedule.locality import Stride, index_of, row_strides, strides_of
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line, outermost_parallel
from alphaz.search.schedule.strategy import Tactic

_RECURSIONS = (4,)
"""Interleaved recurrences: the latency of an addition."""


@dataclass(frozen=True, slots=True)
class _Loops:
    """Statements that share all their loops: the place of the parallel loop (if any), and of the innermost one."""

    problem: Problem
    rows: Mapping[str, tuple[Component, ...]]
    threads: int | None
    last: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.rows)

    @property
    def has_columns(self) -> bool:
        """Returns True if neighbours in memory lie across the innermost loop."""
        across, along = (self._strides(at) for at in (self.threads, self.last))
        return across.count(Stride.UNIT) > across.count(Stride.FAR) and along.count(Stride.FAR) > along.count(
            Stride.UNIT
        )

    @property
    def columns(self) -> int | None:
        """Returns the place of a parallel row around only contributions, along which all reads of the only statement
        are unit-stride or constant: sums of neighbours are vectorised in this way only."""
        if len(self.rows) != 1 or self.has_columns:
            return None
        ((name, components),) = self.rows.items()
        rows = [position for position in range(self.last + 1) if components[position].is_row]
        inner = list(takewhile(lambda at: components[at].kind is ComponentKind.REDUCTION, reversed(rows)))
        place = next((at for at in reversed(rows) if at not in inner), None)
        if not inner or place is None or components[place].kind is not ComponentKind.PARALLEL:
            return None
        strides = self._strides(place, name)
        result = strides_of(self.problem, name, index_of(self.problem, name, components[place].value) or "")[:1]
        return place if result == [Stride.UNIT] and Stride.FAR not in strides else None

    @property
    def are_recursions(self) -> bool:
        return all(components[self.last].kind is ComponentKind.SEQUENTIAL for components in self.rows.values())

    @property
    def in_vectors(self) -> list[str]:
        return [name for name in self.rows if self._in_vectors(name)]

    def _in_vectors(self, name: str) -> bool:
        component = self.rows[name][self.last]
        if component.kind not in (ComponentKind.PARALLEL, ComponentKind.REDUCTION) or self.threads == self.last:
            return False
        strides = self._strides(self.last, name)
        return (Stride.UNIT in strides and Stride.FAR not in strides) or self._is_wavefront(name)

    def _is_wavefront(self, name: str) -> bool:
        """Returns True if a row around it mixes its index with others: then neighbours in the memory layout are in
        line."""
        own = set(self.problem.statements[name].domain.space.names)
        around = [set(c.value.names) & own for c in self.rows[name][: self.last] if c.is_row]
        here = set(self.rows[name][self.last].value.names) & own
        return bool(here) and any(len(names) > 1 and here <= names for names in around)

    def _strides(self, place: int | None, *only: str) -> list[Stride]:
        strides: list[Stride] = []
        if place is None:
            return strides
        for name in only or self.names:
            strides += row_strides(self.problem, name, self.rows[name][place])
        return strides


def innermost_steps(problem: Problem, dates: Dates, blocking: Blocking, threads: int | None = None) -> Iterator[Tactic]:
    """Yields tactics for the innermost loops of these dates; `threads`: the component that threads share, instead of
    the outermost parallel ones."""
    every = list(_loops(problem, dates, threads))
    head = _common_head(dates)
    nests: dict[tuple[int, ...], list[_Loops]] = {}
    for loops in every:
        prefix = tuple(c.value.constant for c in next(iter(loops.rows.values()))[:head])
        nests.setdefault(prefix, []).append(loops)
    for prefix, inside in nests.items():
        if len(inside) == 1 and (place := inside[0].columns) is not None:
            yield _in_columns(prefix, inside[0], place, blocking)
            continue
        for loops in inside:
            yield from _collect_sums(loops)
            for lines in _vectors(loops):
                yield Tactic((lines,), "", f"vectors for {', '.join(loops.in_vectors)}")
        yield from _at_once(prefix, inside, blocking)


def _in_columns(prefix: tuple[int, ...], loops: _Loops, place: int, blocking: Blocking) -> Tactic:
    """Sums of some neighbours in registers; few enough that short lines have whole pieces, too."""
    names = ", ".join(loops.names)
    sizes = blocking.some_columns()[1:]
    columns = tuple(_pieces(prefix, place, size) for size in sizes)
    return Tactic((*columns, *_vectors(loops)), f"Some columns of {names} at once.", f"columns of {names} at once")


def _pieces(prefix: tuple[int, ...], place: int, size: int) -> tuple[Line, ...]:
    below = (",".join(map(str, prefix)),) if prefix else ()
    return (Line("setRegisterTile", (*below, place - len(prefix), size)),)


def _vectors(loops: _Loops) -> Iterator[tuple[Line, ...]]:
    if loops.in_vectors:
        yield (Line("setDimensionType", (", ".join(loops.in_vectors), loops.last, "V")),)


def _collect_sums(loops: _Loops) -> Iterator[Tactic]:
    """Threads for sums without a parallel loop around them: each thread has a private accumulator."""
    places = {
        next((position for position, c in enumerate(rows) if c.kind is ComponentKind.REDUCTION), None)
        for rows in loops.rows.values()
    }
    (place,) = places if len(places) == 1 else (None,)
    if loops.threads is None and place is not None and place < loops.last:
        line = Line("setDimensionType", (", ".join(loops.names), place, "R"))
        yield Tactic(((line,),), "", f"threads for {', '.join(loops.names)}")


def _at_once(prefix: tuple[int, ...], inside: Sequence[_Loops], blocking: Blocking) -> Iterator[Tactic]:
    """Some iterations of the parallel loop at once, for all statements with this prefix."""
    around = {loops.threads for loops in inside if loops.threads is not None and loops.threads < loops.last}
    if len(around) != 1:
        return
    (threads,) = around
    wide = [loops for loops in inside if loops.threads == threads and loops.has_columns]
    recursions = [loops for loops in inside if loops.threads == threads and loops.are_recursions]
    # Fewer columns where other statements run along rows.
    sizes = blocking.some_columns()[len(wide) < len(inside) :] if wide else _RECURSIONS if recursions else ()
    names = ", ".join(name for loops in wide or recursions for name in loops.names)
    lines = tuple(_pieces(prefix, threads, size) for size in sizes)
    if lines:
        what = "columns" if wide else "recursions"
        yield Tactic(lines, f"Some {what} of {names} at once.", f"{what} of {names} at once")


def _loops(problem: Problem, dates: Dates, threads: int | None) -> Iterator[_Loops]:
    shared = outermost_parallel(dates) if threads is None else dict.fromkeys(dates, threads)
    groups: dict[tuple[int, int | None, tuple[int | None, ...]], list[str]] = {}
    for name, components in dates.items():
        last = max((position for position, component in enumerate(components) if component.is_row), default=None)
        if last is not None:
            constants = tuple(c.value.constant if c.kind is ComponentKind.ORDER else None for c in components[:last])
            groups.setdefault((last, shared.get(name), constants), []).append(name)
    for (last, place, _), names in groups.items():
        yield _Loops(problem, {name: dates[name] for name in names}, place, last)


def _common_head(dates: Dates) -> int:
    """The number of components that order all statements, before any loop."""
    heads = (
        next(
            (position for position, component in enumerate(components) if component.kind is not ComponentKind.ORDER),
            len(components),
        )
        for components in dates.values()
    )
    return min(heads, default=0)
