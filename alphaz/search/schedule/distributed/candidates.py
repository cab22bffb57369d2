"""Distributed mappings to try: outer rows of the dates as steps, places behind them, and the other rows on a rank."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import combinations, product

from alphaz.analysis.facts.dependence_graph import cyclic_components
from alphaz.mapping.statement import Role
from alphaz.mapping.target_mapping import Ownership
from alphaz.poly import Affine
from alphaz.search.schedule.dates import Component, ComponentKind, Dates, not_carried, with_kinds
from alphaz.search.schedule.distributed.placement import Placement, Seed, aligned, place_of_result
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line, lines_of

# Most rows of the dates that are steps.
_MOST_STEPS = 2
_PLACE = (-1,)
_FILLER = Component(Affine(), ComponentKind.FILLER, (-2,))


class StepParts(Enum):
    """The parts of one iteration of the step rows that are steps of their own: those of the schedule, none, or one for
    the statements that no other one of them precedes, the next for their readers, and so on.
    """

    GIVEN = "given"
    NONE = "none"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True, eq=False)
class _Origin:
    """The schedule of a candidate, how many of its rows are steps, the parts of these, and the places."""

    base: Dates
    steps: int
    parts: StepParts
    placements: tuple[Placement, ...]

    def is_beside(self, other: "_Origin") -> bool:
        """Returns True if the other one differs in the places alone."""
        same = self.base is other.base and (self.steps, self.parts) == (other.steps, other.parts)
        return same and len(self.placements) == len(other.placements) == 1


@dataclass(frozen=True, slots=True, eq=False)
class RankCandidate:
    """A distributed mapping: dates whose components from `position` on are `width` places.

    `tile`: the rows of the last step dimension in one step, for the nests with these `tiled` prefixes; 0: one.
    `starts`: the dates at which results that may have no contributions are set to the identity.
    """

    origin: "_Origin"
    dates: Dates
    position: int
    ownership: Ownership = Ownership.BLOCK
    is_combined: bool = False
    tiled: tuple[tuple[int, ...], ...] = ()
    tile: int = 0
    starts: Mapping[str, tuple[Affine, ...]] = field(default_factory=dict)

    @property
    def width(self) -> int:
        return len(self.origin.placements)

    @property
    def behind(self) -> int:
        """Returns the position behind the places."""
        return self.position + self.width

    @property
    def places(self) -> Mapping[str, tuple[Affine, ...]]:
        """Returns the places of each statement."""
        at = slice(self.position, self.behind)
        return {name: tuple(c.value for c in components[at]) for name, components in self.dates.items()}

    def lines(self, problem: Problem) -> tuple[Line, ...]:
        """Returns the lines of a script, without memory maps."""
        lines = list(lines_of(problem, with_kinds(problem, self.dates), threads=False, starts=self.starts))
        if self.is_combined:
            lines.append(Line("setReductionDimension", ("", str(self.position))))
        for number, prefix in enumerate(self.tiled):
            first, text = self.position - 1 - len(prefix), ",".join(map(str, prefix))
            name = f"steps{number}" if number else "steps"
            sizes = f"{self.tile},0"
            nest: tuple[str | int, ...] = (1, text) if prefix else ()
            lines.append(Line("setBandForTiling", (name, *nest, first, first + 1, sizes)))
        for index in range(self.position, self.behind):
            lines.append(Line("setDistributed", ("", index, self.ownership.value)))
        return tuple(lines)

    def tiles(self, size: int) -> "RankCandidate | None":
        """Returns the same mapping with so many rows in a step; None if the last step dimension has no rows."""
        at = self.position - 1
        if at < 0 or self.width > 1:
            return None
        prefixes = dict.fromkeys(
            tuple(c.value.constant for c in components[:at] if not c.is_row)
            for components in self.dates.values()
            if components[at].is_row and not components[at].value.is_constant
        )
        has_rows = any(c.is_row for components in self.dates.values() for c in components[:at])
        return None if has_rows or not prefixes else replace(self, tiled=tuple(prefixes), tile=size)

    def dealt_out(self) -> "RankCandidate":
        """Returns the same mapping with cyclic places."""
        return replace(self, ownership=Ownership.CYCLIC)

    @property
    def terms(self) -> int:
        """Returns the length of the dates."""
        return sum(1 + len(c.value.names) for components in self.dates.values() for c in components)

    def __str__(self) -> str:
        """`steps t, places i of X`."""
        name = max(self.dates, key=lambda name: sum(not c.value.is_constant for c in self.dates[name]))
        components = self.dates[name][: self.position]
        steps = [str(c.value) for c in components if c.is_row and not c.value.is_constant] or ["none"]
        tiles = f" in tiles of {self.tile}" if self.tile else ""
        places = " and ".join(map(str, self.places[name]))
        return f"steps {', '.join(steps)}{tiles}, places {places} of {name}, {self.ownership.value}"


def candidates(problem: Problem, bases: Sequence[Dates], places: Sequence[Seed]) -> Iterator[RankCandidate]:
    """Yields mappings by blocks of one distributed dimension, with few steps first; each once."""
    placements = [aligned(problem, seed) for seed in places]
    known = set[object]()
    every = product(placements, range(_MOST_STEPS + 1), bases, StepParts)
    for placement, steps, base, parts in every:
        yield from _new(_candidate(problem, _Origin(base, steps, parts, (placement,))), known)


def grids(problem: Problem, candidates: Sequence[RankCandidate]) -> Iterator[RankCandidate]:
    """Yields grids of two mappings that differ in their places alone."""
    known = set[object]()
    for one, other in combinations([candidate.origin for candidate in candidates], 2):
        pair = (*one.placements, *other.placements)
        if one.is_beside(other) and _is_grid(pair):
            yield from _new(_candidate(problem, replace(one, placements=pair)), known)


def _new(candidate: RankCandidate | None, known: set[object]) -> Iterator[RankCandidate]:
    if candidate is None:
        return
    key = candidate.position, tuple(tuple(c.value for c in components) for components in candidate.dates.values())
    if key not in known:
        known.add(key)
        yield candidate


def _is_grid(pair: Sequence[Placement]) -> bool:
    """Returns True if both places are indices, of some statement different ones."""
    one, other = pair
    simple = all(len(place.names) <= 1 for placement in pair for place in placement.values())
    return simple and any(
        one[name].names != other[name].names and one[name].names and other[name].names for name in one
    )


def _candidate(problem: Problem, origin: _Origin) -> RankCandidate | None:
    """Returns the mapping; None if no statement has so many rows before others."""
    base, chosen = origin.base, origin.placements
    with_parts = origin.parts is StepParts.GIVEN
    split = {name: _split(components, origin.steps, with_parts) for name, components in base.items()}
    if max(rows for _, _, rows in split.values()) < origin.steps:
        return None
    position = max(len(before) for before, _, _ in split.values())
    steps = {name: (*before, *(_FILLER,) * (position - len(before))) for name, (before, _, _) in split.items()}
    if origin.parts is StepParts.DERIVED:
        numbers = _parts(problem, steps)
        if not any(numbers.values()):
            return None
        steps = {name: (*components, _part(numbers[name])) for name, components in steps.items()}
        position += 1
    outer = {
        name: (*components, *(Component(placement[name], ComponentKind.PARALLEL, _PLACE) for placement in chosen))
        for name, components in steps.items()
    }
    inner = _simplified({name: behind for name, (_, behind, _) in split.items()}, outer, base)
    dates = {name: (*outer[name], *inner[name]) for name in base}
    combined = any(
        statement.role is Role.BODY and not _is_of_result(problem, name, placement[name])
        for placement in chosen
        for name, statement in problem.statements.items()
    )
    candidate = RankCandidate(origin, dates, position, is_combined=combined)
    return candidate if combined else _started(problem, candidate)


def _started(problem: Problem, candidate: RankCandidate) -> RankCandidate | None:
    """Returns the mapping with starts for results that may have no contributions: on their rank, before all operations
    of the step, if it has all contributions; else in a step before all others.
    """
    outer = {
        name: [place_of_result(problem.statements[name], c.value) for c in candidate.dates[name][: candidate.behind]]
        for name in _partial_sums(problem)
    }
    if not outer:
        return candidate
    first, zero = {name for name, values in outer.items() if None in values[: candidate.position]}, Affine()
    starts, front = dict[str, tuple[Affine, ...]](), (_part(1),) if first else ()
    for name, values in outer.items():
        steps = [zero if name in first else value or zero for value in values[: candidate.position]]
        number = problem.system.variable(name).domain.space.dimensions
        indices = map(Affine.name, problem.statements[name].domain.space.names[:number])
        lead = [Affine(constant=name not in first)] * bool(first)
        starts[name] = (*lead, *steps, *(value or zero for value in values[candidate.position :]), zero, *indices)
    length = max(map(len, starts.values()))
    dates = {}
    for name, components in candidate.dates.items():
        parts = (*front, *components[: candidate.behind], _part(1), *components[candidate.behind :])
        dates[name] = (*parts, *(_FILLER,) * (length - len(parts)))
    return replace(candidate, dates=dates, position=candidate.position + len(front), starts=starts)


def _partial_sums(problem: Problem) -> Iterator[str]:
    """Yields the reductions some of whose results have no contributions."""
    for name, statement in problem.statements.items():
        if statement.role is Role.BODY:
            domain = problem.system.variable(name).domain
            if not (domain - statement.domain.image(statement.target, domain.space.names)).is_empty():
                yield name


def _part(number: int) -> Component:
    return Component(Affine(constant=number), ComponentKind.ORDER, (-3,))


def _parts(problem: Problem, steps: Dates) -> dict[str, int]:
    """Returns the number of the part of each statement: larger than those of the statements whose values it reads in
    the same step, except where these need its own.
    """
    edges = tuple(problem.flow)
    for position in range(len(next(iter(steps.values()), ()))):
        edges = tuple(not_carried(edges, {name: components[position].value for name, components in steps.items()}))
    graph: dict[str, list[str]] = {name: [] for name in steps}
    for edge in edges:
        graph[edge.source].append(edge.target)
    groups = {name: group for group in cyclic_components(graph) for name in group}
    numbers = dict.fromkeys(steps, 0)
    for _ in steps:
        for edge in edges:
            if edge.target not in groups.get(edge.source, (edge.source,)):
                numbers[edge.target] = max(numbers[edge.target], numbers[edge.source] + 1)
    return numbers


def _split(
    components: Sequence[Component], steps: int, with_parts: bool
) -> tuple[tuple[Component, ...], tuple[Component, ...], int]:
    """Returns the components of a step, those on a rank, and the number of rows among the first.

    Parallel rows are no steps: they move to the rank.
    """
    before: list[Component] = []
    behind: list[Component] = []
    rows, is_done = 0, False
    for component in components:
        is_done = is_done or (rows == steps and _ends_step(component, with_parts))
        is_moved = is_done or component.kind is ComponentKind.PARALLEL
        (behind if is_moved else before).append(component)
        rows += component.is_row and not is_moved
    return tuple(before), tuple(behind), rows


def _ends_step(component: Component, with_parts: bool) -> bool:
    """Returns True if a component is behind the last row of a step."""
    return component.kind is not ComponentKind.PARALLEL and (component.is_row or not with_parts)


def _simplified(inner: Dates, outer: Dates, base: Dates) -> Dates:
    """Returns the rows on a rank minus outer components, where they become simpler; without those that become one
    constant. Equal outer components are assumed, so that the order of operations stays the same.
    """
    rows: dict[tuple[tuple[int, ...], int], dict[str, Affine]] = {}
    for name, components in inner.items():
        for component in components:
            if component.is_row:
                rows.setdefault(_row_key(component, base[name]), {})[name] = component.value
    for key, values in rows.items():
        rows[key] = _simplest(values, outer)
    repeated = {key for key, values in rows.items() if all(v == Affine(constant=v.constant) for v in values.values())}
    repeated = {key for key in repeated if len(set(rows[key].values())) == 1}
    return {
        name: tuple(
            replace(c, value=rows[_row_key(c, base[name])][name]) if c.is_row else c
            for c in components
            if not c.is_row or _row_key(c, base[name]) not in repeated
        )
        for name, components in inner.items()
    }


def _row_key(component: Component, components: Sequence[Component]) -> tuple[tuple[int, ...], int]:
    return component.band, components.index(component)


def _simplest(values: Mapping[str, Affine], outer: Dates) -> dict[str, Affine]:
    """Returns the row, the same multiples of outer components taken away for all statements."""
    best = dict(values)
    for position in range(len(next(iter(outer.values())))):
        for factor in (1, -1):
            other = {name: value - outer[name][position].value * factor for name, value in best.items()}
            if _terms(other) < _terms(best):
                best = other
    return best


def _terms(values: Mapping[str, Affine]) -> int:
    return sum(len(value.names) for value in values.values())


def _is_of_result(problem: Problem, name: str, place: Affine) -> bool:
    """Returns True if the place of a contribution has the indices of its result alone."""
    statement = problem.statements[name]
    target = statement.target.renamed(statement.domain.space.names).outputs
    known = {index for output in target for index in output.names} | set(problem.system.parameters)
    return known.issuperset(place.names)
