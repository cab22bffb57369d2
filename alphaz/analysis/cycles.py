"""Dependence cycles at one point (AZ310): a value that needs itself, so that no schedule can exist.

Whether one exists for some parameters is undecidable in general; a finding here is always true, silence proves nothing.
A component of mutually dependent variables is passed when a one-dimensional order carries all its uniform dependences:
some h with h.(reader - read) > 0. The others are searched point by point, at a few small parameters, within a budget.
A call is one operation: its outputs need all that its inputs read.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod

from alphaz.analysis.components import cyclic_components
from alphaz.analysis.dependences import Dependence, call_label, dependences_of
from alphaz.analysis.question import given, point_text
from alphaz.diagnostics import Diagnostic, Label, Place, Witness
from alphaz.diagnostics.rules import CYCLE
from alphaz.model.expression import Access
from alphaz.model.facts import Facts
from alphaz.model.program import Equation, System, UseEquation
from alphaz.model.walk import walk
from alphaz.poly import Domain, OutOfBudget, Unbounded, budget, smallest_point
from alphaz.poly.box import box_of
from alphaz.proof import BUDGET

POINTS = 20_000
"""How many reads are looked at for one choice of parameters."""

_GROWTH = 5

Point = tuple[str, tuple[int, ...]]


def cycles_of(system: System, facts: Facts) -> Iterator[Diagnostic]:
    """One finding for each component of variables in which a cycle is found."""
    equations = {_name(equation): equation for equation in system.equations}
    for component in cyclic_components(_structure(system)):
        members = [equations[name] for name in sorted(component) if name in equations]
        found = [d for equation in members for d in dependences_of(equation, facts)]
        inside = [d for d in found if d.producer in component]
        if not _carried(inside):
            yield from _search(system, inside, component)


def _name(equation: Equation | UseEquation) -> str:
    return equation.variable if isinstance(equation, Equation) else call_label(equation)


def _structure(system: System) -> dict[str, list[str]]:
    """Which variable reads which; a call reads what its inputs read, and its outputs read the call."""
    graph: dict[str, list[str]] = {}
    for equation in system.equations:
        roots = (equation.expression,) if isinstance(equation, Equation) else equation.inputs
        graph[_name(equation)] = [n.variable for root in roots for n in walk(root) if isinstance(n, Access)]
        if isinstance(equation, UseEquation):
            graph.update({output: [_name(equation)] for output in equation.outputs})
    return graph


def _carried(inside: list[Dependence]) -> bool:
    """Whether some h in {-1,0,1,2}^n makes every distance positive; only where all are uniform and of one rank."""
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


def _search(system: System, inside: list[Dependence], component: frozenset[str]) -> Iterator[Diagnostic]:
    for parameters in _small_parameters(system.context):
        try:
            with budget(BUDGET):
                graph = _points(system, inside, component, parameters)
        except (OutOfBudget, Unbounded):
            return
        cycle = _cycle(graph)
        if cycle is not None:
            yield _report(system, parameters, cycle)
            return


def _small_parameters(context: Domain) -> Iterator[dict[str, int]]:
    """The smallest legal parameters, then all of them one larger, and so on."""
    least = smallest_point(context)
    if least is None:
        return
    for more in range(_GROWTH if least else 1):
        larger = {name: value + more for name, value in least.items()}
        if context.contains(larger):
            yield larger


def _points(
    system: System, inside: list[Dependence], component: frozenset[str], parameters: Mapping[str, int]
) -> dict[Point, list[_Read]]:
    """Every read among the points of the component, as far as the budget goes: whole dependences or nothing of them."""
    graph: dict[Point, list[_Read]] = {}
    left = POINTS
    for dependence in inside:
        points = _few(dependence.domain, parameters, left)
        left -= len(points)
        names = dependence.domain.space.names
        for point in points:
            values = {**parameters, **dict(zip(names, point, strict=True))}
            reader = (dependence.consumer, dependence.projection.at(values))
            read = (dependence.producer, dependence.function.at(values))
            graph.setdefault(reader, []).append(_Read(read, dependence.reference))
    for equation in system.equations:
        if isinstance(equation, UseEquation) and _name(equation) in component:
            _add_outputs(system, equation, component, parameters, graph)
    return graph


def _add_outputs(
    system: System,
    equation: UseEquation,
    component: frozenset[str],
    parameters: Mapping[str, int],
    graph: dict[Point, list[_Read]],
) -> None:
    extra = equation.extension.space.dimensions
    for output in component & set(equation.outputs):
        for point in _few(system.variable(output).domain, parameters, POINTS):
            graph.setdefault((output, point), []).append(_Read((_name(equation), point[:extra]), None))


def _few(domain: Domain, parameters: Mapping[str, int], most: int) -> list[tuple[int, ...]]:
    """The points of the domain, or none where its box has more than `most`."""
    if domain.fixed(parameters).is_empty() or prod(box_of(domain, parameters).shape) > most:
        return []
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
    places = tuple(Place("point", name, point) for name, point in points)
    sentence = f"{given(parameters, system.parameters)}{' needs '.join(texts)}"
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
