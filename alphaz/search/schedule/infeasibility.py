"""Reasons for a missing schedule: the part of a system for which isl finds none, and a cut that admits one.

An affine schedule dates a statement in one piece. If its points depend on each other in different directions in
different regions (X[i] on X[i-1] in one half, on X[i+1] in the other), none may exist until the statement is split:
cuts along the points at which an edge ends are tried, and a cut is shown only if it has a schedule."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from alphaz.analysis.checks.obligation_finding import parameters_text, point_text
from alphaz.analysis.facts.dependence_graph import cyclic_components
from alphaz.analysis.texts.node_numbers import sites
from alphaz.diagnostics import Diagnostic, Label, Witness, WitnessPoint
from alphaz.diagnostics.diagnostic import Rule
from alphaz.diagnostics.rules import NO_SCHEDULE
from alphaz.mapping.statement import Role
from alphaz.model.program import Kind, Program
from alphaz.poly import Domain, OutOfBudget, budget, smallest_point
from alphaz.poly.algorithms.congruence import set_text
from alphaz.poly.scheduling.band_schedules import FEAUTRIER, DependenceEdge, NoSchedule, SchedulerOptions, isl_schedule
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line

_CUTS = 20
_Blocked = tuple[tuple[str, ...], tuple[DependenceEdge, ...]]


def no_schedule(program: Program, problem: Problem, tried: Sequence[str], operations: int) -> Diagnostic:
    """Returns the finding with the dependences that admit no schedule."""
    reason = _blocked_component(problem, operations)
    system = problem.system
    if reason is None:
        message = f"no schedule of {system.name} was found that is proved"
        return Diagnostic(NO_SCHEDULE, message, Label(system.span), notes=tuple(tried))
    names, edges = reason
    spans = [problem.statements[name].equation for name in names]
    labels = tuple(Label(e.span, f"computes {e.variable}") for e in spans if e is not None)
    cycle = " and ".join(names) if len(names) < 3 else ", ".join(names)
    message = f"no affine schedule of {cycle} in one piece was found"
    primary, *secondary = labels or (Label(system.span),)
    notes = (*(f"{_flows(problem, edge)}" for edge in edges), *tried)
    help_ = _help(program, problem, reason, operations)
    witness = _witness(problem, edges)
    return Diagnostic(NO_SCHEDULE, message, primary, tuple(secondary), witness, notes=notes, help=help_)


def first_cut(program: Program, problem: Problem, operations: int) -> tuple[Line, ...]:
    """Returns the commands that cut a variable in two, so that the smallest part without a schedule has one; empty if
    none is known."""
    reason = _blocked_component(problem, operations)
    return () if reason is None else _first_cut(program, problem, reason, operations)


def _help(program: Program, problem: Problem, blocked: _Blocked, operations: int) -> str | None:
    """A remedy that was tried; None if none is known."""
    lines = _first_cut(program, problem, blocked, operations)
    if not lines:
        return None
    text = f"{', '.join(str(line)[:-1] for line in lines)} {'makes' if len(lines) == 1 else 'make'}"
    return f"{text} two variables of it, for which there is a schedule (tried)"


def _first_cut(program: Program, problem: Problem, blocked: _Blocked, operations: int) -> tuple[Line, ...]:
    """Cuts locals, and outputs if no local can be cut: through a local with their values."""
    every = (cut for kind in (Kind.LOCAL, Kind.OUTPUT) for cut in _cuts(problem, *blocked, operations, kind))
    cut = next(every, None)
    if cut is None:
        return ()
    name, part = cut
    system, shown = problem.system, set_text(part.within(problem.system.context))
    if system.variable(name).kind is Kind.LOCAL:
        return (Line("Split", (system.name, name, shown), of_system=False),)
    own = f"{name}_value"
    while any(variable.name == own for variable in system.variables):
        own += "_"
    whole = problem.statements[name].equation
    (node,) = (site.text for site in sites(program) if site.equation is whole and site.expression is whole.expression)
    commands = (
        ("AddLocal", (system.name, own, node)),
        ("InlineAll", (system.name, name)),
        ("Split", (system.name, own, shown)),
    )
    return tuple(Line(command, arguments, of_system=False) for command, arguments in commands)


def conflict(problem: Problem, constraint_text: str, edges: Sequence[DependenceEdge], rule: Rule) -> Diagnostic:
    """Returns the finding with the constraint, and the dependences in conflict with it."""
    names = tuple(dict.fromkeys(name for edge in edges for name in (edge.source, edge.target)))
    spans = [problem.statements[name].equation for name in names]
    labels = tuple(Label(e.span, f"computes {e.variable}") for e in spans if e is not None)
    between = ", ".join(dict.fromkeys(f"{edge.source} -> {edge.target}" for edge in edges))
    message = f"{constraint_text} conflicts with {between}" if edges else f"{constraint_text} is not possible"
    primary, *secondary = labels or (Label(problem.system.span),)
    notes = tuple(_flows(problem, edge) for edge in edges)
    return Diagnostic(rule, message, primary, tuple(secondary), notes=notes or ("no row is left that is independent",))


def _blocked_component(problem: Problem, operations: int) -> _Blocked | None:
    """The smallest strongly connected component without a schedule."""
    graph: dict[str, list[str]] = {name: [] for name in problem.statements}
    for edge in problem.flow:
        graph[edge.source].append(edge.target)
    for component in sorted(cyclic_components(graph), key=len):
        names = tuple(name for name in problem.statements if name in component)
        edges = tuple(e for e in problem.flow if e.source in component and e.target in component)
        if not _has_schedule({name: problem.statements[name].domain for name in names}, edges, operations):
            return names, edges
    return None


def _has_schedule(domains: Mapping[str, Domain], edges: Iterable[DependenceEdge], operations: int) -> bool:
    edges_ = tuple(edges)
    try:
        with budget(operations):
            isl_schedule(domains, edges_, edges_, edges_, SchedulerOptions(algorithm=FEAUTRIER))
    except (NoSchedule, OutOfBudget):
        return False
    return True


def _flows(problem: Problem, edge: DependenceEdge) -> str:
    names, there = _names(problem, edge)
    pairs = edge.relation.pairs((*names, *there)).within(problem.system.context)
    return f"{point_text(edge.source, names)} comes before {point_text(edge.target, there)}: {pairs}"


def _names(problem: Problem, edge: DependenceEdge) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The indices of both ends of an edge."""
    source, target = (problem.statements[name].domain.space.names for name in (edge.source, edge.target))
    return source, tuple(f"{name}'" for name in target)


def _witness(problem: Problem, edges: Sequence[DependenceEdge]) -> Witness | None:
    """A pair of points of each edge, at the smallest parameters at which all edges have some."""
    parameters = problem.system.parameters
    pairs = [edge.relation.pairs(sum(_names(problem, edge), ())).in_context(problem.system.context) for edge in edges]
    least = [point for pair in pairs if (point := smallest_point(pair)) is not None]
    for values in sorted({tuple(point[name] for name in parameters) for point in least}):
        bindings = dict(zip(parameters, values, strict=True))
        points = [next(iter(pair.points(bindings)), None) for pair in pairs]
        if None not in points:
            return _pairs_witness(problem, edges, bindings, [point for point in points if point is not None])
    return None


def _pairs_witness(
    problem: Problem, edges: Sequence[DependenceEdge], values: Mapping[str, int], points: Sequence[tuple[int, ...]]
) -> Witness:
    places: list[WitnessPoint] = []
    for edge, point in zip(edges, points, strict=True):
        count = len(_names(problem, edge)[0])
        places += (WitnessPoint("first", edge.source, point[:count]), WitnessPoint("then", edge.target, point[count:]))
    texts = [point_text(place.name, place.point) for place in places]
    orders = (f"{first} comes before {then}" for first, then in zip(texts[::2], texts[1::2], strict=True))
    return Witness(
        tuple(values.items()), tuple(places), f"{parameters_text(values, problem.system.parameters)}{', '.join(orders)}"
    )


def _cuts(
    problem: Problem, names: Sequence[str], edges: Sequence[DependenceEdge], operations: int, kind: Kind
) -> Iterator[tuple[str, Domain]]:
    """Variables of a kind, and the parts whose removal leaves a schedule for both."""
    for name, part in islice(_parts(problem, names, edges, kind), _CUTS):
        whole = problem.statements[name].domain
        domains = {n: problem.statements[n].domain for n in names if n != name}
        halves = {f"{name}.0": whole & part, f"{name}.1": whole - part}
        after = [piece for edge in edges for piece in _halved_edge(edge, name, halves)]
        if _has_schedule({**domains, **halves}, after, operations):
            yield name, part


def _parts(
    problem: Problem, names: Sequence[str], edges: Sequence[DependenceEdge], kind: Kind
) -> Iterator[tuple[str, Domain]]:
    for name in names:
        statement = problem.statements[name]
        fits = statement.equation is not None and problem.system.variable(name).kind is kind
        if not fits or statement.role is not Role.VALUE:
            continue
        for edge in edges:
            if edge.target == name:
                part = edge.relation.targets()
                if not statement.domain.is_subset(part):
                    yield name, part


def _halved_edge(edge: DependenceEdge, name: str, halves: Mapping[str, Domain]) -> Iterator[DependenceEdge]:
    """The edge, between the halves of a statement."""
    sources = halves if edge.source == name else {edge.source: None}
    targets = halves if edge.target == name else {edge.target: None}
    for source, inside in sources.items():
        for target, there in targets.items():
            relation = edge.relation
            if inside is not None:
                relation = relation.with_sources_in(inside)
            if there is not None:
                relation = relation.with_targets_in(there)
            if not relation.is_empty():
                yield replace(edge, source=source, target=target, relation=relation)
