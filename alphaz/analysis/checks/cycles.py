"""Dependence cycles at one point (AZ310): a value that depends on itself, so that no schedule exists.

Whether one exists for some parameters is undecidable in general. A component of mutually dependent variables passes if
there is an order: a one-dimensional one that carries uniform dependences, some h with h.(reader - read) > 0, or an
affine schedule. The other components are searched point by point, at a few small parameters, within a budget; then for
cycles of few dependences at any parameters. A cycle that is found is certain; an unsuccessful search is reported
(AZ315).
A call is one operation: its outputs depend on all reads of its inputs. If that makes a cycle, the check is repeated for
each value that the call computes; a call that has a cycle as one operation only is a warning (AZ316), since it runs on
demand and cannot be scheduled. Both checks ignore points of inputs on which no output of the call depends."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, product, starmap
from math import prod

from alphaz.analysis.checks.obligation_finding import parameters_text, point_text
from alphaz.analysis.checks.short_cycles import Step, short_cycle
from alphaz.analysis.facts.affine_schedule_existence import has_order, outputs_of_calls
from alphaz.analysis.facts.dependence_graph import cyclic_components
from alphaz.analysis.facts.dependences import Dependence, dependences_of, operation
from alphaz.analysis.facts.input_output_dependences import Summaries
from alphaz.diagnostics import Diagnostic, Label, Witness, WitnessPoint
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import CYCLE, CYCLE_BY_CALL, MAYBE_CYCLE
from alphaz.diagnostics.work_limits import working_at
from alphaz.model.expression import Access, Facts
from alphaz.model.program import Equation, System, UseEquation, defined_by
from alphaz.model.walk import walk
from alphaz.poly import Affine, AffineFunction, Domain, OutOfBudget, Unbounded, at_least, budget, equal, smallest_point
from alphaz.poly.algorithms.bounds import box_of
from alphaz.poly.algorithms.smallest import as_dimensions
from alphaz.proof import BUDGET, with_growing_budget

POINTS = 20_000
"""Most reads that are searched for one choice of parameters."""

# The number of sums of parameters that are tried, their greatest value, and the number of choices of parameters.
_GROWTH = 5
_FARTHEST = 40
_CHOICES = 60

Point = tuple[str, tuple[int, ...]]


def cycles_of(system: System, facts: Facts, summaries: Summaries) -> Iterator[Diagnostic]:
    """Yields one finding for each component of variables in which a cycle is found."""
    equations = {operation(equation): equation for equation in system.equations}
    for component in cyclic_components(_structure(system)):
        members = [equations[name] for name in sorted(component) if name in equations]
        with working_at(members[0].span, f"whether a value of `{defined_by(members[0])[0]}` depends on itself"):
            diagnostics = list(_cycles_among(system, facts, summaries, members, component))
        yield from diagnostics


def _cycles_among(
    system: System,
    facts: Facts,
    summaries: Summaries,
    members: list[Equation | UseEquation],
    component: frozenset[str],
) -> Iterator[Diagnostic]:
    dependences = [d for equation in members for d in dependences_of(equation, facts)]
    inside = [d for d in dependences if d.producer in component]
    if not _has_positive_weights(inside) and not has_order(system, facts, inside, component):
        if any(isinstance(equation, UseEquation) for equation in members):
            yield from _on_demand(system, facts, summaries, members)
        else:
            yield _search(system, inside, component)


def _on_demand(
    system: System, facts: Facts, summaries: Summaries, members: list[Equation | UseEquation]
) -> Iterator[Diagnostic]:
    """The same check with the dependences of each value of a call instead of those of the whole call."""
    reads: list[Dependence] = []
    exact = True
    for equation in members:
        if isinstance(equation, Equation):
            reads += dependences_of(equation, facts)
        else:
            more, is_exact = summaries.reads(system, equation)
            reads += more
            exact = exact and is_exact
    diagnostics = []
    for inside, component in _without_order(system, facts, reads, {}):
        diagnostics.append(_search(system, inside, component) if exact else _unknown(inside, []))
    if not diagnostics:
        calls = [equation for equation in members if isinstance(equation, UseEquation)]
        for inside, component in _without_order(system, facts, *_of_whole_calls(calls, reads)):
            diagnostics.append(_only_by_calls(_search(system, inside, component)))
    yield from diagnostics


def _without_order(
    system: System, facts: Facts, reads: list[Dependence], more: Mapping[str, list[str]]
) -> Iterator[tuple[list[Dependence], frozenset[str]]]:
    """The components of these reads, and of `more` edges, for which no order is found, with the reads inside."""
    graph = {name: list(read) for name, read in more.items()}
    for read in reads:
        graph.setdefault(read.consumer, []).append(read.producer)
    for component in cyclic_components(graph):
        inside = [r for r in reads if r.consumer in component and r.producer in component]
        if not _has_positive_weights(inside) and not has_order(system, facts, inside, component):
            yield inside, component


def _of_whole_calls(calls: list[UseEquation], reads: list[Dependence]) -> tuple[list[Dependence], dict[str, list[str]]]:
    """The reads of calls as one operation each, restricted to the points of inputs on which outputs depend; and the
    operations that compute the outputs."""
    call_of = {output: call for call in calls for output in call.outputs}
    diagnostics = []
    for read in reads:
        call = call_of.get(read.consumer)
        if call is not None:
            point = read.projection.outputs[: call.extension.space.dimensions]
            read = replace(read, consumer=operation(call), projection=AffineFunction(read.projection.domain, point))
        diagnostics.append(read)
    return diagnostics, {output: [operation(call)] for output, call in call_of.items()}


def _only_by_calls(atomic: Diagnostic) -> Diagnostic:
    if atomic.rule != CYCLE:
        return atomic
    return replace(
        atomic,
        rule=CYCLE_BY_CALL,
        message=f"{atomic.message.partition(':')[0]} by a call as a whole: it runs on demand, and has no schedule",
        notes=(*atomic.notes, "value by value, the results of the call do not depend on themselves"),
        help="to schedule it, inline the call (InlineSubSystem), or let one call compute less",
    )


def _structure(system: System) -> dict[str, list[str]]:
    """The variables that each variable reads; a call reads the variables in its inputs, and its outputs read the
    call."""
    graph: dict[str, list[str]] = {}
    for equation in system.equations:
        roots = (equation.expression,) if isinstance(equation, Equation) else equation.inputs
        graph[operation(equation)] = [n.variable for root in roots for n in walk(root) if isinstance(n, Access)]
        if isinstance(equation, UseEquation):
            graph.update({output: [operation(equation)] for output in equation.outputs})
    return graph


def _has_positive_weights(inside: list[Dependence]) -> bool:
    """Returns True if some h in {-1,0,1,2}^n makes every distance positive; only for uniform ones of one rank."""
    distances: set[tuple[int, ...]] = set()
    for dependence in inside:
        if len(dependence.projection.outputs) != len(dependence.function.outputs):
            return False
        pairs = zip(dependence.projection.outputs, dependence.function.outputs, strict=True)
        difference = [reader - read for reader, read in pairs]
        if not all(d.is_constant for d in difference):
            return False
        distances.add(tuple(d.constant for d in difference))
    ranks = {len(d) for d in distances}
    if len(ranks) != 1 or max(ranks) > 4:
        return False
    orders = product((0, 1, -1, 2), repeat=ranks.pop())
    return any(all(sum(a * b for a, b in zip(h, d, strict=True)) > 0 for d in distances) for h in orders)


# --- point by point ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """One edge of the graph of points; `reference` is None from an output to the call that computes it."""

    read: Point
    reference: Access | None


def _search(system: System, inside: list[Dependence], component: frozenset[str]) -> Diagnostic:
    """The cycle, or the finding that the search was incomplete."""
    searched: list[str] = []
    try:
        choices = with_growing_budget(lambda: _small_parameters(system.context))
    except OutOfBudget:
        choices = []
    for parameters in choices:
        try:
            with budget(BUDGET):
                graph, whole = _points(system, inside, component, parameters)
        except (OutOfBudget, Unbounded):
            break
        cycle = _cycle(graph)
        if cycle is not None:
            return _report(system, parameters, cycle)
        if whole:
            searched.append(parameters_text(parameters, system.parameters).removesuffix(": "))
    shortest = short_cycle(tuple(_steps(system, inside, component)))
    return (
        _unknown(inside, searched)
        if shortest is None
        else _report(system, shortest[0], list(starmap(_read_of, shortest[1])))
    )


def _steps(system: System, inside: list[Dependence], component: frozenset[str]) -> Iterator[Step]:
    """The edges of the component; an output needs the call that computes it."""
    for d in inside:
        yield Step(
            consumer=d.consumer,
            producer=d.producer,
            domain=d.domain,
            projection=d.projection,
            function=d.function,
            reference=d.reference,
        )
    for e in outputs_of_calls(system, component):
        yield Step(
            consumer=e.then[0],
            producer=e.first[0],
            domain=e.domain,
            projection=e.then_point,
            function=e.first_point,
            reference=None,
        )


def _read_of(step: Step, values: Mapping[str, int]) -> tuple[Point, _Read]:
    read = step.producer, step.function.at(values)
    return (step.consumer, step.projection.at(values)), _Read(read, step.reference)


def _unknown(inside: list[Dependence], searched: list[str]) -> Diagnostic:
    """The finding that neither an order nor a cycle was found."""
    first, *others = _distinct(dependence.reference for dependence in inside)
    more = len(searched) - _GROWTH
    rest = f" and {count_text(more, 'other choice')} of parameters" if more > 0 else ""
    message = f"no cycle at {'; '.join(searched[:_GROWTH])}{rest}" if all(searched) else "no cycle"
    return Diagnostic(
        MAYBE_CYCLE,
        f"it is not decided whether a value of `{inside[0].consumer}` depends on itself",
        Label(first.span, "the value is needed to compute it"),
        tuple(Label(reference.span, "by way of this") for reference in others),
        notes=(
            f"a bounded search of points found {message}" if searched else "there are too many points to be searched",
            "no affine schedule was found that computes every value after those that it needs",
        ),
        help="a mapping that is proved settles it; a run that meets a value that needs itself stops and names it",
    )


def _small_parameters(context: Domain) -> list[dict[str, int]]:
    """Small legal parameters, by their sum: the least ones, all of them larger by the same number, and each on its own.

    Those of the least _GROWTH sums are enumerated, at most _CHOICES.
    """
    least = smallest_point(context)
    if not least:
        return [] if least is None else [least]
    together = ({name: value + more for name, value in least.items()} for more in range(_GROWTH))
    choices = [larger for larger in together if context.contains(larger)]
    apart = as_dimensions(context, len(least))
    parameters, total = list(map(Affine.name, least)), sum(least.values())
    bounds = [at_least(Affine.name(name), Affine(constant=min(value, 0))) for name, value in least.items()]
    sums = 0
    for more in range(_FARTHEST):
        level = equal(sum(parameters, Affine()), Affine(constant=total + more))
        points = list((apart & Domain.where(apart.space, [*bounds, level])).points({}))
        choices += [dict(zip(least, point, strict=True)) for point in points[: _CHOICES - len(choices)]]
        sums += bool(points)
        if sums == _GROWTH or len(choices) >= _CHOICES:
            break
    distinct = {tuple(choice.values()): choice for choice in choices}
    return [distinct[key] for key in sorted(distinct, key=lambda values: (sum(values), values))]


def _points(
    system: System, inside: list[Dependence], component: frozenset[str], parameters: Mapping[str, int]
) -> tuple[dict[Point, list[_Read]], bool]:
    """Every read among the points of the component, within the budget: whole dependences only. The second result is
    True if none is missing."""
    graph: dict[Point, list[_Read]] = {}
    left, whole = POINTS, True
    for dependence in inside:
        points = _few(dependence.domain, parameters, left)
        if points is None:
            whole = False
            continue
        left -= len(points)
        names = dependence.domain.space.names
        for point in points:
            values = {**parameters, **dict(zip(names, point, strict=True))}
            reader = (dependence.consumer, dependence.projection.at(values))
            read = (dependence.producer, dependence.function.at(values))
            graph.setdefault(reader, []).append(_Read(read, dependence.reference))
    for equation in system.equations:
        if isinstance(equation, UseEquation) and operation(equation) in component:
            whole = _add_outputs(system, equation, component, parameters, graph) and whole
    return graph, whole


def _add_outputs(
    system: System,
    equation: UseEquation,
    component: frozenset[str],
    parameters: Mapping[str, int],
    graph: dict[Point, list[_Read]],
) -> bool:
    """Adds edges from the outputs to the call; returns True if none is missing."""
    extra, whole = equation.extension.space.dimensions, True
    for output in component & set(equation.outputs):
        points = _few(system.variable(output).domain, parameters, POINTS)
        whole = whole and points is not None
        for point in points or ():
            graph.setdefault((output, point), []).append(_Read((operation(equation), point[:extra]), None))
    return whole


def _few(domain: Domain, parameters: Mapping[str, int], most: int) -> list[tuple[int, ...]] | None:
    """The points of the domain; None where its box has more than `most`."""
    if domain.fixed(parameters).is_empty():
        return []
    if prod(box_of(domain, parameters).shape) > most:
        return None
    return list(domain.points(parameters))


def _cycle(graph: Mapping[Point, list[_Read]]) -> list[tuple[Point, _Read]] | None:
    """A shortest cycle through some point that is on one."""
    on_cycles = cyclic_components({point: [r.read for r in reads] for point, reads in graph.items()})
    if not on_cycles:
        return None
    start = min(on_cycles[0])
    came: dict[Point, tuple[Point, _Read]] = {}
    waiting = deque([start])
    while start not in came:
        here = waiting.popleft()
        for read in graph.get(here, ()):
            if read.read not in came and read.read in on_cycles[0]:
                came[read.read] = (here, read)
                waiting.append(read.read)
    back = [came[start]]
    while back[-1][0] != start:
        back.append(came[back[-1][0]])
    return back[::-1]


def _report(system: System, parameters: Mapping[str, int], cycle: list[tuple[Point, _Read]]) -> Diagnostic:
    points = [point for point, _ in cycle]
    texts = [point_text(*point) for point in [*points, points[0]]]
    references = _distinct(read.reference for _, read in cycle if read.reference is not None)
    places = tuple(WitnessPoint("point", name, point) for name, point in points)
    sentence = f"{parameters_text(parameters, system.parameters)}{' needs '.join(texts)}"
    chosen = tuple((name, parameters[name]) for name in system.parameters)
    return Diagnostic(
        CYCLE,
        f"a value of `{points[0][0]}` depends on itself: no schedule can exist",
        Label(references[0].span, "the value is needed to compute it"),
        tuple(Label(reference.span, "by way of this") for reference in references[1:]),
        Witness(chosen, places, sentence),
        notes=tuple(f"{reader} reads {read}" for reader, read in pairwise(texts)),
        help="let each point depend on points that can be computed before it",
    )


def _distinct(references: Iterable[Access]) -> list[Access]:
    return list(dict.fromkeys(references))
