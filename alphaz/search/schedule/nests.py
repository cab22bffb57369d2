"""Groups the statements of a schedule into loop nests, rearranges them, and places other statements around the core."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from alphaz.poly import Affine
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Component, ComponentKind, Dates, with_kinds
from alphaz.search.schedule.innermost import innermost_steps
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line, parallel_lines
from alphaz.search.schedule.strategy import Tactic

_LARGE = 1 << 20
_ORDERED = (ComponentKind.REDUCTION, ComponentKind.SEQUENTIAL)
FILLER = Component(Affine(), ComponentKind.FILLER, ())


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """`prefix` are the constants, `rows` the following components of each statement."""

    prefix: tuple[int, ...]
    rows: Mapping[str, tuple[Component, ...]]

    @property
    def statements(self) -> tuple[str, ...]:
        return tuple(self.rows)

    @property
    def band(self) -> int:
        """Returns the number of leading rows that belong to one band for every statement."""
        return min((_leading(components) for components in self.rows.values()), default=0)

    @property
    def kinds(self) -> tuple[ComponentKind, ...]:
        """Returns the kinds of the rows of the band."""
        return tuple(component.kind for component in next(iter(self.rows.values()))[: self.band])

    def place_of(self, statement: str, index: str) -> int | None:
        """Returns the row of the band that is an index of a statement up to a shift; it may run backwards."""
        for position, component in enumerate(self.rows[statement][: self.band]):
            own = [(name, c) for name, c in component.value.terms if name == index]
            others = [name for name, _ in component.value.terms if name != index]
            if own and abs(own[0][1]) == 1 and not others:
                return position
        return None


def nests_of(dates: Dates) -> tuple[Nest, ...]:
    """Returns the nests in the order of execution."""
    nests: dict[tuple[int, ...], dict[str, tuple[Component, ...]]] = {}
    for name, components in dates.items():
        head = next(
            (position for position, c in enumerate(components) if c.kind is not ComponentKind.ORDER), len(components)
        )
        prefix = tuple(c.value.constant for c in components[:head])
        nests.setdefault(prefix, {})[name] = components[head:]
    return tuple(Nest(prefix, rows) for prefix, rows in sorted(nests.items()))


def permute_rows(components: Sequence[Component], order: Sequence[int]) -> tuple[Component, ...]:
    """Returns the components with the rows of a band in another order."""
    return (*(components[at] for at in order), *components[len(order) :])


def rename_components(
    problem: Problem, components: tuple[Component, ...], first: str, name: str
) -> tuple[Component, ...]:
    """Returns components of one statement, in the indices of another one."""
    before, now = (problem.statements[statement].domain.space.names for statement in (first, name))
    names = dict(zip(before, map(Affine.name, now), strict=True))
    return tuple(replace(c, value=c.value.substitute(names)) for c in components)


def shift_components(components: Iterable[Component], before: int) -> tuple[Component, ...]:
    """Returns the components after this many filler components."""
    return ((FILLER,) * before) + tuple(components)


def _leading(components: Sequence[Component]) -> int:
    count = 0
    for component in components:
        if not component.is_row or component.band != components[0].band:
            break
        count += 1
    return count


def without_last_order(dates: Dates) -> tuple[Dates, tuple[Line, ...]]:
    """Returns the dates without constants that only order statements innermost, and statement orderings instead of
    them."""
    lines: list[Line] = []
    new_dates = dict(dates)
    for nest in nests_of(dates):
        groups: dict[tuple[Component, ...], list[tuple[int, str]]] = {}
        ended = all(rows and rows[-1].kind is ComponentKind.ORDER for rows in nest.rows.values())
        if not ended or len({len(rows) for rows in nest.rows.values()}) > 1:
            continue
        for name, rows in nest.rows.items():
            place = tuple(Component(Affine(), c.kind, c.band) for c in rows[:-1])
            groups.setdefault(place, []).append((rows[-1].value.constant, name))
            new_dates[name] = dates[name][:-1]
        for members in groups.values():
            names = [name for _, name in sorted(members)]
            lines += [Line("setStatementOrdering", pair) for pair in pairwise(names)]
    return new_dates, tuple(lines)


def split_rows_by_phase(problem: Problem, dates: Dates) -> Dates:
    """Returns the dates with a constant before each row that has more than one phase: what comes before a loop over
    contributions, the loop, and what comes after it.

    Such a row runs up to a parameter and beyond: statements follow each other in it."""
    new_dates = dict(dates)
    for dimension in reversed(range(max(map(len, dates.values()), default=0))):
        groups: dict[tuple[object, ...], list[str]] = {}
        for name, components in new_dates.items():
            if len(components) > dimension and components[dimension].kind in _ORDERED:
                groups.setdefault(_place(components[:dimension]), []).append(name)
        for names in groups.values():
            phases = _phases(problem, {name: new_dates[name][dimension] for name in names})
            for name in names if len(set(phases.values())) > 1 else ():
                before, row, after = (
                    new_dates[name][:dimension],
                    new_dates[name][dimension],
                    new_dates[name][dimension + 1 :],
                )
                phase = Component(Affine(constant=phases[name]), ComponentKind.ORDER, (*row.band, dimension))
                own = _within(problem, name, row.value)
                new_dates[name] = (*before, phase, replace(row, value=own), *after)
    return with_kinds(problem, new_dates)


def _phases(problem: Problem, row: Mapping[str, Component]) -> dict[str, int]:
    """Returns the number of the phase of each statement in a row: phases follow each other by their start in the
    parameters, then as producers of the loops, the loops, and all others."""
    moving = {name for name in row if _within(problem, name, row[name].value).names}
    needed = {edge.source for edge in problem.flow if edge.target in moving}
    role = {name: 1 if name in moving else 0 if name in needed else 2 for name in row}
    keys = {name: (_start(problem, name, row[name].value), role[name]) for name in row}
    numbers = {key: position for position, key in enumerate(sorted(set(keys.values())))}
    return {name: numbers[key] for name, key in keys.items()}


def _within(problem: Problem, name: str, value: Affine) -> Affine:
    """The part of a row that depends on indices, with its constant."""
    own = [(n, c) for n, c in value.terms if n in problem.statements[name].domain.space.names]
    return Affine.of(own, value.constant if own else 0)


def _start(problem: Problem, name: str, value: Affine) -> int:
    """The start of the row, for parameters as large as possible."""
    return sum(c * _LARGE for n, c in value.terms if n not in problem.statements[name].domain.space.names)


def _place(components: Sequence[Component]) -> tuple[object, ...]:
    """The components that statements sharing loops have in common."""
    return tuple(
        c.value.constant if c.kind is ComponentKind.ORDER else c.kind is ComponentKind.FILLER for c in components
    )


_Nest = Mapping[str, tuple[Component, ...]]


def place_core(problem: Problem, dates: Dates, core: Mapping[str, tuple[Affine, ...]]) -> tuple[Dates, tuple[int, ...]]:
    """Returns dates of all statements, and the constants before those of the core: none if there are no other
    statements.

    `core` has the rows that the strategy fixes, for each statement of the core. Its producers come first, in the order
    of their dependences; all other statements follow it. Nests keep their `dates`, further inside than the rows of the
    core, so that tiles of the core do not tile them; statements that share a nest with some of the core have their
    indices for rows."""
    middle = {name: tuple(Component(row, ComponentKind.SEQUENTIAL, ()) for row in rows) for name, rows in core.items()}
    width = max(map(len, core.values()))
    nests = [middle, *_others(problem, dates, core)]
    order = _in_order(problem, nests)
    new_dates: dict[str, tuple[Component, ...]] = {}
    for name in problem.statements:
        (at,) = (number for number, place in enumerate(order) if name in nests[place])
        rows = nests[order[at]][name]
        front = (Component(Affine(constant=at), ComponentKind.ORDER, ()),) if len(nests) > 1 else ()
        new_dates[name] = (*front, *(rows if name in core or not rows else shift_components(rows, width)))
    return new_dates, (order.index(0),) if len(nests) > 1 else ()


def steps_around(problem: Problem, laid: Dates, core: Iterable[str], blocking: Blocking) -> Iterator[Tactic]:
    """Returns threads, vectors and columns for the loops outside the core."""
    others = {name: components for name, components in laid.items() if name not in set(core)}
    for line in parallel_lines(others):
        yield Tactic(((line,),), "", "threads")
    yield from innermost_steps(problem, others, blocking)


def _others(problem: Problem, dates: Dates, core: Iterable[str]) -> Iterator[_Nest]:
    """The nests without the core, and each statement of the others alone."""
    inside = set(core)
    for nest in nests_of(dates):
        if inside.isdisjoint(nest.statements):
            yield nest.rows
            continue
        for name in (statement for statement in nest.statements if statement not in inside):
            indices = problem.statements[name].domain.space.names
            yield {name: tuple(Component(Affine.name(index), ComponentKind.SEQUENTIAL, ()) for index in indices)}


def _in_order(problem: Problem, nests: list[_Nest]) -> list[int]:
    """The numbers of the nests in the order of their dependences; nests that the first one does not need come after
    it."""
    nest_of_statement = {name: nest_number for nest_number, nest in enumerate(nests) for name in nest}
    needs: dict[int, set[int]] = {nest_number: set() for nest_number in range(len(nests))}
    for edge in problem.flow:
        needs[nest_of_statement[edge.target]] |= {nest_of_statement[edge.source]} - {nest_of_statement[edge.target]}
    producers_of_core = {0}
    while more := {source for nest_number in producers_of_core for source in needs[nest_number]} - producers_of_core:
        producers_of_core |= more
    depth = dict.fromkeys(needs, 0)
    for _ in nests:
        for nest_number, sources in needs.items():
            same = (
                producer
                for producer in sources
                if (producer in producers_of_core) == (nest_number in producers_of_core) and producer != 0
            )
            depth[nest_number] = max((depth[producer] + 1 for producer in same), default=0)
    return sorted(
        needs, key=lambda nest_number: (nest_number not in producers_of_core, nest_number == 0, depth[nest_number])
    )
