"""One row of a schedule as an integer linear program, solved by HiGHS (the extra `schedule`)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import inf, lcm
from typing import Any

import numpy as np

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NO_SCHEDULE
from alphaz.poly import Affine, Domain
from alphaz.poly.relation import Relation, non_negative_forms
from alphaz.poly.scheduling.band_schedules import DependenceEdge

Terms = Mapping[str, int]


@dataclass(slots=True)
class Model:
    """Variables with bounds, and constraints `sum(coefficient * variable) + constant >= 0` (or `== 0`)."""

    variables: dict[str, tuple[float, float]] = field(default_factory=dict)
    constraints: list[tuple[dict[str, int], int, bool]] = field(default_factory=list)

    def add(self, name: str, low: float = 0, high: float = inf) -> None:
        self.variables[name] = (low, high)

    def require(self, terms: Terms, constant: int = 0, equality: bool = False) -> None:
        coefficients = {name: coefficient for name, coefficient in terms.items() if coefficient}
        if coefficients or constant < 0 or (equality and constant):
            self.constraints.append((coefficients, constant, equality))


def solve(model: Model, objectives: Sequence[Terms], seconds: float) -> dict[str, int] | None:
    """Returns values that minimise the objectives lexicographically.

    None if the constraints are infeasible. Raises Rejected (AZ511) if HiGHS is not installed, TimeoutError after
    `seconds` for one objective."""
    try:
        import highspy  # noqa: PLC0415 - optional, and slow to load
    except ImportError:
        message, remedy = "this engine needs HiGHS", "pip install highspy, or the extra `schedule` of alphaz"
        raise Rejected(Diagnostic(NO_SCHEDULE, message, Label(NOWHERE), help=remedy)) from None
    names = list(model.variables)
    if not names:
        return {} if all(not c for _, c, _ in model.constraints) else None
    place = {name: position for position, name in enumerate(names)}

    class Silent(highspy.Highs):
        """HiGHS without its banner on stdout, which it prints if callbacks are enabled in the constructor."""

        def enableCallbacks(self) -> None:  # noqa: N802
            self.silent()

    highs: Any = Silent()  # type: ignore[no-untyped-call]
    for option, value in (("threads", 1), ("time_limit", seconds), ("mip_rel_gap", 0.0), ("random_seed", 0)):
        highs.setOptionValue(option, value)
    every = np.arange(len(names), dtype=np.int32)
    low, high = (np.array([model.variables[name][side] for name in names], dtype=float) for side in (0, 1))
    highs.addVars(len(names), low, high)
    highs.changeColsIntegrality(len(names), every, np.array([highspy.HighsVarType.kInteger] * len(names)))

    def add(terms: Terms, lower: float, upper: float) -> None:
        columns = np.array([place[name] for name in terms], dtype=np.int32)
        highs.addRow(lower, upper, len(terms), columns, np.array(list(terms.values()), dtype=float))

    for terms, constant, equality in model.constraints:
        add(terms, -constant, -constant if equality else inf)
    solution: dict[str, int] | None = None
    for objective in objectives or ({},):
        costs = np.zeros(len(names))
        for name, coefficient in objective.items():
            costs[place[name]] = coefficient
        highs.changeColsCost(len(names), every, costs)
        highs.run()
        status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise TimeoutError
        if status != highspy.HighsModelStatus.kOptimal:
            return None
        values = highs.getSolution().col_value
        solution = {name: round(values[at]) for name, at in place.items()}
        if objective:
            add(objective, -inf, sum(coefficient * solution[name] for name, coefficient in objective.items()))
    return solution


Vector = tuple[int, ...]
Forms = tuple[tuple[bool, Vector], ...]
_MOST_SHIFT = 64
_MOST_DISTANCE = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class RowReference:
    """Operations that touch one element (`edges`), and the steps of statements to a neighbour in a line."""

    edges: tuple[DependenceEdge, ...]
    steps: tuple[tuple[str, Vector], ...]


Group = tuple[RowReference, ...]
"""References that are equally important."""


@dataclass(frozen=True, slots=True, eq=False)
class ScheduleRow:
    """The model, and the names of its variables by their meaning. `places`, `by_index`, `latency`: with weights.
    `groups`: the distances of neighbours, and then of operations that touch one element, for one group after the
    other."""

    model: Model
    slopes: list[str] = field(default_factory=list)
    distances: list[str] = field(default_factory=list)
    carried: list[str] = field(default_factory=list)
    reversed: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    sizes: list[str] = field(default_factory=list)
    shifts: list[str] = field(default_factory=list)
    own: dict[str, str] = field(default_factory=dict)
    """`X.j`: the absolute coefficient of an index in the row of a statement."""
    places: dict[str, int] = field(default_factory=dict)
    by_index: dict[str, dict[str, int]] = field(default_factory=dict)
    sequential: list[str] = field(default_factory=list)
    latency: dict[str, int] = field(default_factory=dict)
    groups: list[list[str]] = field(default_factory=list)

    def bound(self, solution: Terms, parameters: Sequence[str]) -> Affine:
        """Returns the upper bound of all distances."""
        terms = [(name, solution[slope]) for name, slope in zip(parameters, self.slopes, strict=True)]
        return Affine.of(terms, solution["w"])

    def dates(self, solution: Terms, domains: Mapping[str, Domain]) -> dict[str, Affine]:
        """Returns the component of each statement."""
        affines: dict[str, Affine] = {}
        for name, domain in domains.items():
            terms = [(n, solution[f"{name}.c{position}"]) for position, n in enumerate(domain.space.names)]
            terms += [(n, solution[f"{name}.d{position}"]) for position, n in enumerate(domain.space.parameters)]
            affines[name] = Affine.of(terms, solution[f"{name}.k"])
        return affines


@dataclass(frozen=True, slots=True, eq=False)
class RowRequest:
    """Constraints of a row. `validity`: ordered, and short; `unordered`, `near`: short only; `found`: the rows so far,
    of which the new one is independent for the statements `due`. Coefficients are at most `bound`, and not negative
    unless the row may run `backwards`; for statements with `signs`, they are not negative (1) or not positive (-1)
    for each index. Those of parameters are at most `parameters`; `parallel`: statements all of whose edges (except
    those in `near`) have distance 0; `counts`: carried edges and the latency are counted; `given` are the components
    of some statements; `early`: constants and coefficients of parameters may be negative; `by_index` has the weights
    of terms for each index of a statement; `sequential`: the model has a variable for whether the row is parallel."""

    domains: Mapping[str, Domain]
    validity: tuple[DependenceEdge, ...]
    unordered: tuple[DependenceEdge, ...]
    rows: Mapping[str, Sequence[Vector]]
    due: frozenset[str]
    backwards: bool = True
    signs: Mapping[str, Vector] = field(default_factory=dict)
    bound: int = 4
    parameters: int = 2
    parallel: frozenset[str] = frozenset()
    counts: bool = False
    fixed_rows: Mapping[str, Affine] = field(default_factory=dict)
    by_index: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    sequential: bool = False
    near: tuple[DependenceEdge, ...] = ()
    groups: tuple[Group, ...] = ()
    early: bool = False


def row_of(row_request: RowRequest) -> ScheduleRow:
    """Returns the integer program of a row."""
    row = ScheduleRow(Model())
    parameters = next(iter(row_request.domains.values())).space.parameters
    _bounds_of_distances(row.model, len(parameters))
    row.slopes.extend(f"u{position}" for position in range(len(parameters)))
    row.distances.append("w")
    for name, domain in row_request.domains.items():
        _statement(row, row_request, name, domain)
    for edge in row_request.validity:
        for forms in _forms(edge.relation):
            less = {}
            if row_request.counts:
                less = {f"e{len(row.carried)}": -1}
                row.model.add(f"e{len(row.carried)}", 0, 1)
                row.carried.append(f"e{len(row.carried)}")
            _not_negative(row.model, forms, _distance(row_request.domains, edge), less)
            _at_most(row.model, forms, _distance(row_request.domains, edge), -1, len(parameters))
    for edge in (*row_request.validity, *row_request.unordered):
        if {edge.source, edge.target} & row_request.parallel:
            for forms in _forms(edge.relation):
                _zero(row.model, forms, _distance(row_request.domains, edge))
    for edge in (*row_request.unordered, *row_request.near):
        _near(row.model, row_request, edge, len(parameters))
    if row_request.counts:
        _latency(row, row_request, len(parameters))
    for group in row_request.groups:
        _group(row, row_request, group, len(parameters))
    if row_request.sequential:
        _sequential(row, row_request, len(parameters))
    return row


def _sequential(row: ScheduleRow, row_request: RowRequest, parameters: int) -> None:
    """A variable that is 1 if some dependence has a non-zero distance."""
    own, chosen = "p.", "p"
    row.model.add(chosen, 0, 1)
    row.sequential.append(chosen)
    _bounds_of_distances(row.model, parameters, own)
    for edge in (*row_request.validity, *row_request.unordered):
        _near(row.model, row_request, edge, parameters, own)
    for bound in (*(f"u{own}{position}" for position in range(parameters)), f"w{own}"):
        row.model.require({chosen: _MOST_DISTANCE, bound: -1})


def _group(row: ScheduleRow, row_request: RowRequest, group: Group, parameters: int) -> None:
    """A bound for each reference of the group, and of its steps."""
    lines: list[str] = []
    slopes: list[str] = []
    distances: list[str] = []
    for reference in group:
        own = f"{len(row.groups)}.{len(lines)}."
        row.model.add(f"s{own}")
        lines.append(f"s{own}")
        for name, step in reference.steps:
            for sign in (-1, 1):
                row.model.require(
                    {f"s{own}": 1, **{f"{name}.c{position}": sign * x for position, x in enumerate(step)}}
                )
        _bounds_of_distances(row.model, parameters, own)
        slopes += [f"u{own}{position}" for position in range(parameters)]
        distances.append(f"w{own}")
        for edge in reference.edges:
            _near(row.model, row_request, edge, parameters, own)
    row.groups.extend((lines, slopes, distances))


def _near(model: Model, row_request: RowRequest, edge: DependenceEdge, parameters: int, own: str = "") -> None:
    """The absolute distance is at most the bound with this name."""
    for forms in _forms(edge.relation):
        for sign in (-1, 1):
            _at_most(model, forms, _distance(row_request.domains, edge), sign, parameters, own)


@lru_cache(maxsize=4096)
def _forms(relation: Relation) -> tuple[Forms, ...]:
    """The dual cone of each piece."""
    return tuple(piece.non_negative_forms() for piece in relation.pieces())


def _at_most(model: Model, forms: Forms, distance: Sequence[Terms], sign: int, parameters: int, own: str = "") -> None:
    """Constrains u . n + w + sign * distance of the bound with this name to be not negative."""
    form = [{name: sign * c for name, c in part.items()} for part in distance]
    form[0][f"w{own}"] = 1
    for position in range(parameters):
        form[1 + position][f"u{own}{position}"] = 1
    _not_negative(model, forms, form, {})


def _zero(model: Model, forms: Forms, distance: Sequence[Terms]) -> None:
    for sign in (-1, 1):
        _not_negative(model, forms, [{name: sign * c for name, c in part.items()} for part in distance], {})


def _bounds_of_distances(model: Model, parameters: int, own: str = "") -> None:
    for position in range(parameters):
        model.add(f"u{own}{position}", 0, _MOST_DISTANCE)
    model.add(f"w{own}", 0, _MOST_DISTANCE)


def _statement(row: ScheduleRow, row_request: RowRequest, name: str, domain: Domain) -> None:
    model, bound = row.model, row_request.bound
    signs = row_request.signs.get(name, (0 if row_request.backwards else 1,) * domain.space.dimensions)
    row.shifts.append(_from_zero(model, f"{name}.k", _MOST_SHIFT, row_request.early))
    for at in range(len(domain.space.parameters)):
        row.parameters.append(_from_zero(model, f"{name}.d{at}", row_request.parameters, row_request.early))
    for at in range(domain.space.dimensions):
        own, size, below = f"{name}.c{at}", f"{name}.a{at}", f"{name}.r{at}"
        model.add(own, 0 if signs[at] > 0 else -bound, 0 if signs[at] < 0 else bound)
        model.add(size, 0, bound)
        model.add(below, 0, 0 if signs[at] > 0 else bound)
        # size >= |c|, below >= -c.
        model.require({size: 1, own: -1})
        model.require({size: 1, own: 1})
        model.require({below: 1, own: 1})
        row.sizes.append(size)
        row.reversed.append(below)
        row.places[size] = at + 1
        row.own[f"{name}.{domain.space.names[at]}"] = size
        for term, weights in row_request.by_index.items():
            row.by_index.setdefault(term, {})[size] = weights[name][at]
    if name in row_request.fixed_rows:
        _fixed(model, name, domain, row_request.fixed_rows[name])
    elif name in row_request.due:
        _independent(model, name, domain.space.dimensions, row_request)


def _from_zero(model: Model, own: str, bound: int, below: bool) -> str:
    """A variable up to the bound, also negative with `below`; returns the name of its absolute value."""
    model.add(own, -bound if below else 0, bound)
    if not below:
        return own
    size = f"{own}.size"
    model.add(size)
    model.require({size: 1, own: -1})
    model.require({size: 1, own: 1})
    return size


def _fixed(model: Model, name: str, domain: Domain, value: Affine) -> None:
    """Fixes a value, also outside the usual bounds."""
    for stem, names in (("c", domain.space.names), ("d", domain.space.parameters)):
        for position, name_ in enumerate(names):
            coefficient = value.coefficient(name_)
            model.add(f"{name}.{stem}{position}", coefficient, coefficient)
            if stem == "c":
                model.add(f"{name}.a{position}", abs(coefficient), abs(coefficient))
                model.add(f"{name}.r{position}", max(-coefficient, 0), max(-coefficient, 0))
    model.add(f"{name}.k", value.constant, value.constant)


def _independent(model: Model, name: str, dimensions: int, row_request: RowRequest) -> None:
    """Constrains some r . c to be non-zero, for the r that span the orthogonal complement of the rows so far (big-M,
    for each side)."""
    sides: dict[str, int] = {}
    signs = row_request.signs.get(name, (0 if row_request.backwards else 1,) * dimensions)
    for number, r in enumerate(orthogonal(row_request.rows[name], dimensions)):
        most = row_request.bound * sum(map(abs, r)) + 1
        for sign, side in ((1, "p"), (-1, "q")):
            if not any(x and sign * x * s >= 0 for x, s in zip(r, signs, strict=True)):
                continue
            chosen = f"{name}.{side}{number}"
            model.add(chosen, 0, 1)
            sides[chosen] = 1
            # sign * r . c >= 1 where it is chosen.
            model.require(
                {**{f"{name}.c{position}": sign * x for position, x in enumerate(r)}, chosen: -most}, most - 1
            )
    model.require(sides, -1)


def _distance(domains: Mapping[str, Domain], edge: DependenceEdge) -> list[dict[str, int]]:
    """phi_T(t) - phi_S(s), by coefficient: of the constant, the parameters, the indices of s, those of t."""
    source, target = edge.source, edge.target
    constant: dict[str, int] = {}
    constant[f"{target}.k"] = constant.get(f"{target}.k", 0) + 1
    constant[f"{source}.k"] = constant.get(f"{source}.k", 0) - 1
    form = [constant]
    for position in range(len(domains[source].space.parameters)):
        form.append({} if source == target else {f"{target}.d{position}": 1, f"{source}.d{position}": -1})
    form += [{f"{source}.c{dimension}": -1} for dimension in range(domains[source].space.dimensions)]
    form += [{f"{target}.c{dimension}": 1} for dimension in range(domains[target].space.dimensions)]
    return form


def _not_negative(
    model: Model, rows: Iterable[tuple[bool, Vector]], form: Sequence[Mapping[str, int]], less: Terms
) -> None:
    """Constrains the form plus `less` (a constant part) to be not negative on a piece with the dual cone `rows`."""
    for equality, row in rows:
        terms: dict[str, int] = {}
        for coefficient, part in zip(row, ({**form[0], **less}, *form[1:]), strict=True):
            for name, own in part.items():
                terms[name] = terms.get(name, 0) + coefficient * own
        model.require(terms, 0, equality)


def _latency(row: ScheduleRow, row_request: RowRequest, parameters: int) -> None:
    """0 <= phi <= l . n + l0 on every domain."""
    for position in range(parameters):
        row.model.add(f"l{position}", 0, 1_000)
        row.latency[f"l{position}"] = 1_000
    row.model.add("l", -1_000, 1_000)
    row.latency["l"] = 1
    for name, domain in row_request.domains.items():
        row.model.add(f"{name}.k", -_MOST_SHIFT, _MOST_SHIFT)
        for position in range(parameters):
            row.model.add(f"{name}.d{position}", -row_request.parameters, row_request.parameters)
        own = [{f"{name}.k": 1}, *({f"{name}.d{position}": 1} for position in range(parameters))]
        own += [{f"{name}.c{dimension}": 1} for dimension in range(domain.space.dimensions)]
        limit = [{"l": 1}, *({f"l{position}": 1} for position in range(parameters)), *({} for _ in domain.space.names)]
        rest = [{**most, **{n: -c for n, c in part.items()}} for most, part in zip(limit, own, strict=True)]
        for forms in non_negative_forms(domain):
            _not_negative(row.model, forms, own, {})
            _not_negative(row.model, forms, rest, {})


def orthogonal(rows: Sequence[Vector], dimensions: int) -> list[Vector]:
    """Returns an integer basis of the vectors that are orthogonal to all rows."""
    matrix = [[Fraction(x) for x in row] for row in rows]
    pivots: list[int] = []
    for column in range(dimensions):
        position = len(pivots)
        pivot = next((i for i in range(position, len(matrix)) if matrix[i][column]), None)
        if pivot is None:
            continue
        matrix[position], matrix[pivot] = matrix[pivot], matrix[position]
        matrix[position] = [x / matrix[position][column] for x in matrix[position]]
        for i, other in enumerate(matrix):
            if i != position and other[column]:
                matrix[i] = [a - other[column] * b for a, b in zip(other, matrix[position], strict=True)]
        pivots.append(column)
    vectors: list[Vector] = []
    for free in (c for c in range(dimensions) if c not in pivots):
        vector = [Fraction(0)] * dimensions
        vector[free] = Fraction(1)
        for position, column in enumerate(pivots):
            vector[column] = -matrix[position][free]
        scale = lcm(*(x.denominator for x in vector))
        vectors.append(tuple(int(x * scale) for x in vector))
    return vectors
