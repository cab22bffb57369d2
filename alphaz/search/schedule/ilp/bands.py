"""Bands of rows: finds as many permutable rows as possible, drops the dependences that they carry, and cuts the rest.

Source: Bondhugula (2008), algorithms 1 and 2; if no row is left for a single component, a step of Feautrier's algorithm
carries as many edges as one row can. Rows are forced to be independent only if a statement needs all remaining ones, as
in isl: with Pluto's rule, at each level, shallow statements spoil the rows of deep ones."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.analysis.facts.dependence_graph import cyclic_components
from alphaz.poly import Affine, Domain
from alphaz.poly.scheduling.band_schedules import BandNode, DependenceEdge, Leaf, NoSchedule, Tree
from alphaz.poly.scheduling.band_schedules import SequenceNode as Parts
from alphaz.search.schedule.dates import not_carried
from alphaz.search.schedule.ilp.cost import FEAUTRIER, PLUTO, Cost
from alphaz.search.schedule.ilp.row import Group, RowReference, RowRequest, Vector, orthogonal, row_of, solve
from alphaz.search.schedule.ilp.user_constraints import NOTHING, Conflict, Steering
from alphaz.search.schedule.request import Fuse

SECONDS = 10.0
_TWO, _FEW, _REGISTERS = 2, 6, 32
_DISTANCES = {"slope", "distance"}
_LEAST_BOUND = 4
"""Least bound of coefficients. A cycle of n statements may need n t + i, if it takes n steps."""


@dataclass(frozen=True, slots=True, eq=False)
class BandTask:
    """A scheduling task with its options. Coefficients of parameters are at most `parameters`; `by_index`, `near`: see
    RowRequest (edges in `near` do not prevent parallel rows)."""

    domains: Mapping[str, Domain]
    validity: tuple[DependenceEdge, ...]
    unordered: tuple[DependenceEdge, ...] = ()
    cost: Cost = PLUTO
    fuse: Fuse = Fuse.SMART
    backwards: bool = True
    parameters: int = 2
    by_index: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    steering: Steering = NOTHING
    near: tuple[DependenceEdge, ...] = ()
    groups: tuple[Group, ...] = ()
    weights: Mapping[str, int] = field(default_factory=dict)
    """For each statement, the registers that a band of it needs; a cost of groups bands at most `_REGISTERS`."""

    def near_among(self, names: Sequence[str]) -> tuple[DependenceEdge, ...]:
        inside = set(names)
        return tuple(e for e in self.near if e.source in inside and e.target in inside)


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """Statements that share all rows so far; `found` has the vectors of these rows."""

    names: tuple[str, ...]
    validity: tuple[DependenceEdge, ...]
    unordered: tuple[DependenceEdge, ...]
    rows: Mapping[str, tuple[Vector, ...]]
    level: int = 0
    groups: tuple[Group, ...] = ()

    @staticmethod
    def of(task: BandTask) -> "_State":
        names = tuple(task.domains)
        return _State(names, task.validity, task.unordered, dict.fromkeys(names, ()), groups=task.groups)

    def among(self, names: Sequence[str]) -> "_State":
        inside = set(names)
        validity, unordered = (
            tuple(e for e in edges if e.source in inside and e.target in inside)
            for edges in (self.validity, self.unordered)
        )
        groups = tuple(tuple(_among(reference, inside) for reference in group) for group in self.groups)
        return _State(
            names=tuple(names),
            validity=validity,
            unordered=unordered,
            rows={name: self.rows[name] for name in names},
            level=self.level,
            groups=groups,
        )


def _among(reference: RowReference, names: Collection[str]) -> RowReference:
    edges = tuple(e for e in reference.edges if e.source in names and e.target in names)
    return RowReference(edges, tuple(step for step in reference.steps if step[0] in names))


Component = Mapping[str, Affine]
Bounded = tuple[Component, Affine | None]
"""A row, and its upper bound of dependence distances, if the cost minimises it."""


def schedule(task: BandTask) -> Tree:
    """Returns a schedule tree. Raises NoSchedule (a Conflict, if the steering prevents a schedule), and TimeoutError if
    HiGHS takes too long."""
    return _tree(task, _State.of(task), cut=False)


def one_row(task: BandTask) -> Mapping[str, Affine] | None:
    """Returns a single row by the cost of the task; None if there is none."""
    row = _row(task, _State.of(task), task.cost)
    return None if row is None else row[0]


def _tree(task: BandTask, state: _State, cut: bool) -> Tree:
    """The tree below a state. `cut`: no cut may separate the statements any more."""
    if not cut:
        clusters = _clusters(task, state)
        if len(clusters) > 1:
            return Parts(tuple(_tree(task, state.among(names), cut=True) for names in clusters))
    tree = _step(task, state) if _is_heavy(task, state) else _band(task, state)
    if tree:
        return _as_band(task, state, tree)
    if not state.validity:
        for name, row in task.steering.parallel:
            if name in state.names and row >= state.level:
                raise Conflict(f"parallel {name} {row}", ())
        _check_joined(task, state, [(name,) for name in state.names])
        return Leaf(state.names)
    components = _components(state)
    if len(components) > 1:
        parts = _cuts(task, state, components)
        _check_joined(task, state, parts)
        return Parts(tuple(_tree(task, state.among(names), cut=True) for names in parts))
    step = _step(task, state)
    if not step:
        edge = state.validity[0]
        raise NoSchedule(f"no row carries {edge.source} -> {edge.target}")
    return _as_band(task, state, step)


def _check_joined(task: BandTask, state: _State, parts: Sequence[Collection[str]]) -> None:
    """Raises Conflict if the steering fuses statements of different parts, of which only each part shares further
    rows."""
    for one, two in task.steering.joins(state.names, state.level):
        if not any({one, two} <= set(names) for names in parts):
            raise Conflict(task.steering.constraint_text((one, two), state.level), _in_conflict(task, state))


def _step(task: BandTask, state: _State) -> list[Bounded]:
    """The row that carries most dependences; empty if none carries any."""
    step = _row(task, state, FEAUTRIER)
    return [step] if step is not None and any(_carries(edge, step[0]) for edge in state.validity) else []


def _is_heavy(task: BandTask, state: _State) -> bool:
    """Returns True if statements access so much at once that a band of theirs costs more in registers than it gains in
    caches, if no outermost row is parallel. Source: Reddy (2019), 5.7."""
    if not task.cost.has_groups or state.level or not state.validity:
        return False
    return sum(task.weights.get(n, 0) for n in state.names) > _REGISTERS and _in_parallel(task, state) is None


def _as_band(task: BandTask, state: _State, bounded_rows: Sequence[Bounded]) -> BandNode:
    rows, bounds = tuple(row for row, _ in bounded_rows), tuple(bound for _, bound in bounded_rows)
    below = _tree(task, _after(task, state, rows), False)
    return BandNode(statements=state.names, rows=rows, coincident=_coincident(state, rows), below=below, bounds=bounds)


def _cuts(task: BandTask, state: _State, components: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
    """The places where shared loops end: for maximal fusion one place, from the middle on, such that both sides share
    another row; else everywhere."""
    middle = len(components) / 2
    places = sorted(range(1, len(components)), key=lambda at: (abs(at - middle), at))
    for at in places if task.fuse is Fuse.MAX and len(components) > _TWO else ():
        sides = [tuple(n for names in part for n in names) for part in (components[:at], components[at:])]
        if all(_row(task, state.among(names), task.cost) is not None for names in sides):
            return sides
    return components


def _band(task: BandTask, state: _State) -> list[Bounded]:
    """All rows that the edges of the state allow together; a single row if its cost counts the dependences that it
    carries."""
    rows: list[Bounded] = []
    single = task.cost.counts and bool(state.validity)
    while _due(task, state) or task.steering.gives(state.names, state.level):
        row = _row(task, state, task.cost)
        # Constraints that this band cannot meet may be met further inside, after the dependences that it carries.
        if row is None and not rows and (constraint_text := task.steering.constraint_text(state.names, state.level)):
            raise Conflict(constraint_text, _in_conflict(task, state))
        if row is None or (single and not any(_carries(edge, row[0]) for edge in state.validity)):
            break
        rows.append(row)
        if single:
            break
        groups = _uncarried_groups(task, state.groups, row[0])
        state = replace(state, rows=_with_row(task, state, row[0]), level=state.level + 1, groups=groups)
    return rows


def _uncarried_groups(task: BandTask, groups: Sequence[Group], row: Component) -> tuple[Group, ...]:
    """The parts of the groups whose distance in the row is zero; inner rows cannot bring the rest near each other."""

    def left(reference: RowReference) -> RowReference:
        edges = tuple(edge for edge in reference.edges if not _carries(edge, row))
        steps = ((name, step) for name, step in reference.steps if name in row)
        return RowReference(edges, tuple((n, s) for n, s in steps if not _dot(_vector(task, n, row), s)))

    return tuple(tuple(map(left, group)) for group in groups)


def _vector(task: BandTask, name: str, row: Component) -> Vector:
    return tuple(row[name].coefficient(index) for index in task.domains[name].space.names)


def _dot(one: Vector, two: Vector) -> int:
    return sum(a * b for a, b in zip(one, two, strict=True))


def _in_conflict(task: BandTask, state: _State) -> tuple[DependenceEdge, ...]:
    """A minimal set of edges that admits no row; empty if all edges without these admit none either."""
    every = dict.fromkeys((*state.validity, *state.unordered))
    if _row(task, replace(state, validity=(), unordered=()), task.cost) is None:
        return ()
    conflict_edges = list(every)
    for edge in every:
        others = [edge_ for edge_ in conflict_edges if edge_ is not edge]
        validity, unordered = (tuple(e for e in edges if e in others) for edges in (state.validity, state.unordered))
        if _row(task, replace(state, validity=validity, unordered=unordered), task.cost) is None:
            conflict_edges = others
    return tuple(conflict_edges)


def _row(task: BandTask, state: _State, cost: Cost) -> Bounded | None:
    """A row by the cost, or by the cost of the last row if one is left; outermost parallel rows first, for a cost of
    groups."""
    left = _rows_left(task, state)
    if cost.has_groups and max(left.values(), default=0) > _TWO:
        outermost = _in_parallel(task, state)
        if outermost is not None:
            return outermost
    return _signed_row(task, state, cost.last if cost.last is not None and max(left.values(), default=0) == 1 else cost)


def _in_parallel(task: BandTask, state: _State) -> Bounded | None:
    """An outermost parallel row; None if there is none, or if there is a row around it."""
    if any(state.rows.values()):
        return None
    every = replace(task.steering, parallel=tuple((name, state.level) for name in state.names))
    return _signed_row(replace(task, steering=every), state, task.cost)


def _signed_row(task: BandTask, state: _State, cost: Cost) -> Bounded | None:
    """A row for many statements in which each index has the sign that dependences suggest: free signs take most of the
    time."""
    if task.backwards and len(state.names) > _FEW:
        row = _solve_row(task, state, cost, _signs(task, state))
        if row is not None:
            return row
    return _solve_row(task, state, cost)


def _signs(task: BandTask, state: _State) -> dict[str, Vector]:
    """For each statement, -1 of an index along which dependences only go backwards; else 1."""
    names = dict.fromkeys(index for name in state.names for index in task.domains[name].space.names)
    sign = {index: -1 if _goes_backwards(task, state, index) else 1 for index in names}
    return {name: tuple(sign[index] for index in task.domains[name].space.names) for name in state.names}


def _goes_backwards(task: BandTask, state: _State, index: str) -> bool:
    has = {name for name in state.names if index in task.domains[name].space.names}
    own = Affine.name(index)
    inside = [edge.relation for edge in state.validity if edge.source in has and edge.target in has]
    forwards = any(not relation.where_less(own, own).is_empty() for relation in inside)
    return not forwards and any(not (relation - relation.where_equal(own, own)).is_empty() for relation in inside)


def _solve_row(task: BandTask, state: _State, cost: Cost, signs: Mapping[str, Vector] | None = None) -> Bounded | None:
    domains = {name: task.domains[name] for name in state.names}
    fixed_rows = {
        name: rows[state.level]
        for name, rows in task.steering.fixed_rows.items()
        if name in domains and state.level < len(rows)
    }
    counts = cost.counts and bool(state.validity)
    # Given rows may be earlier, or later by more, than found ones.
    widest = max((sum(abs(c) for _, c in value.terms) for value in fixed_rows.values()), default=0)
    turns = bool(fixed_rows) and all(value.is_constant for value in fixed_rows.values())
    row_request = RowRequest(
        domains=domains,
        validity=state.validity,
        unordered=state.unordered,
        rows=state.rows,
        due=frozenset() if counts or turns else _due(task, state),
        backwards=task.backwards,
        signs=signs or {},
        bound=max(_LEAST_BOUND, 1 + max(map(len, _components(state)))),
        parameters=max(task.parameters, widest),
        parallel=frozenset(name for name, level in task.steering.parallel if level == state.level),
        counts=counts,
        fixed_rows=fixed_rows,
        by_index=task.by_index,
        sequential=cost.asks_for_parallel,
        near=task.near_among(state.names),
        groups=state.groups if cost.has_groups else (),
        early=bool(fixed_rows),
    )
    row = row_of(row_request)
    solution = solve(row.model, cost.objectives(row), SECONDS)
    if solution is None:
        return None
    parameters = next(iter(domains.values())).space.parameters
    return row.dates(solution, domains), row.bound(solution, parameters) if cost.terms >= _DISTANCES else None


def _due(task: BandTask, state: _State) -> frozenset[str]:
    """The statements that need the largest number of further rows."""
    left = _rows_left(task, state)
    most = max(left.values(), default=0)
    return frozenset(name for name, count in left.items() if count == most) if most else frozenset()


def _rows_left(task: BandTask, state: _State) -> dict[str, int]:
    return {
        name: len(orthogonal(state.rows[name], task.domains[name].space.dimensions))
        if state.rows[name]
        else task.domains[name].space.dimensions
        for name in state.names
    }


def _with_row(task: BandTask, state: _State, row: Component) -> dict[str, tuple[Vector, ...]]:
    rows: dict[str, tuple[Vector, ...]] = {}
    for name in state.names:
        rows[name] = (*state.rows[name], _vector(task, name, row))
    return rows


def _after(task: BandTask, state: _State, rows: Sequence[Component]) -> _State:
    """The state after the rows: edges with equal components in all of them."""
    validity, unordered = state.validity, state.unordered
    for row in rows:
        groups = _uncarried_groups(task, state.groups, row)
        state = replace(state, rows=_with_row(task, state, row), level=state.level + 1, groups=groups)
        validity, unordered = tuple(not_carried(validity, row)), tuple(not_carried(unordered, row))
    return replace(state, validity=validity, unordered=unordered)


def _carries(edge: DependenceEdge, row: Component) -> bool:
    left = edge.relation.where_equal(row[edge.source], row[edge.target])
    return not (edge.relation - left).is_empty()


def _coincident(state: _State, rows: Sequence[Component]) -> tuple[bool, ...]:
    edges = (*state.validity, *state.unordered)
    return tuple(not any(_carries(edge, row) for edge in edges) for row in rows)


# --- what shares loops ------------------------------------------------------------------------------------------------


def _clusters(task: BandTask, state: _State) -> list[tuple[str, ...]]:
    """Statements that share loops. Raises Conflict if two are to be separate that depend on each other in a cycle."""
    components = _components(state)
    for names in components:
        if (pair := task.steering.keeps_apart(names, names)) is not None:
            raise Conflict(f"separate {pair[0]}, {pair[1]}", _circle(state.among(names), pair))
    if task.steering.gives(state.names, state.level) or len(components) == 1:
        return [state.names]
    clusters: list[tuple[str, ...]] = []
    for names in components:
        if clusters and _share(task, state, clusters[-1], names):
            clusters[-1] = (*clusters[-1], *names)
        else:
            clusters.append(names)
    for one, two in task.steering.joins(state.names, state.level):
        first, last = sorted(
            next(position for position, names in enumerate(clusters) if name in names) for name in (one, two)
        )
        clusters[first : last + 1] = [tuple(name for names in clusters[first : last + 1] for name in names)]
    return clusters


def _circle(state: _State, pair: tuple[str, str]) -> tuple[DependenceEdge, ...]:
    """A minimal set of edges that puts the two on a dependence cycle."""
    edges = state.validity
    for edge in state.validity:
        others = tuple(edge_ for edge_ in edges if edge_ is not edge)
        if any(set(pair) <= set(names) for names in _components(replace(state, validity=others))):
            edges = others
    return edges


def _share(task: BandTask, state: _State, one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    if task.fuse is Fuse.NO or task.steering.keeps_apart(one, two) is not None:
        return False
    return task.fuse is Fuse.MAX or _gains(task, state, one, two)


def _gains(task: BandTask, state: _State, one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Returns True if one depends on the other (or both are better near each other), and fusion loses no parallel
    row."""
    between = [e for e in (*state.validity, *task.near) if e.source in one and e.target in two]
    if not between:
        return False
    alone = max(_parallel(task, state.among(names)) for names in (one, two))
    both = state.among((*one, *two))
    return _parallel(task, both) >= alone and bool(_band(task, both))


def _parallel(task: BandTask, state: _State) -> int:
    return sum(_coincident(state, [row for row, _ in _band(task, state)]))


def _components(state: _State) -> list[tuple[str, ...]]:
    """Strongly connected components in topological order, else in the order of the statements."""
    graph: dict[str, list[str]] = {name: [] for name in state.names}
    for edge in state.validity:
        graph[edge.source].append(edge.target)
    cyclic = {name: part for part in cyclic_components(graph) for name in part}
    groups = list(dict.fromkeys(cyclic.get(name, frozenset({name})) for name in state.names))
    return [tuple(n for n in state.names if n in group) for group in _in_order(groups, state.validity)]


def _in_order(groups: list[frozenset[str]], edges: Sequence[DependenceEdge]) -> Iterator[frozenset[str]]:
    waiting = list(groups)
    while waiting:
        left = frozenset().union(*waiting)
        free = next(g for g in waiting if not any(e.target in g and e.source in left - g for e in edges))
        waiting.remove(free)
        yield free
