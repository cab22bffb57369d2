"""Schedules of a dependence graph, for the graph commands of scripts: one operation for each point of a variable."""

from collections.abc import Mapping
from dataclasses import replace

from alphaz.analysis.facts.dependence_graph import DependenceGraph
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NO_SCHEDULE
from alphaz.poly import Affine, AffineFunction
from alphaz.poly.relation import Relation
from alphaz.poly.scheduling.band_schedules import BandNode, DependenceEdge, Leaf, NoSchedule, Tree
from alphaz.search.schedule.dates import not_carried
from alphaz.search.schedule.ilp.bands import BandTask, one_row, schedule
from alphaz.search.schedule.ilp.cost import FEAUTRIER, Cost
from alphaz.search.schedule.request import Fuse
from alphaz.search.schedule.script_lines import function_text


def graph_task(graph: DependenceGraph, cost: Cost, fuse: Fuse = Fuse.SMART) -> BandTask:
    """Returns the scheduling task of a graph: reads of the values that equations and calls compute.

    An output of a call is read from the call at its point of the extension, which precedes the indices."""
    edges: list[DependenceEdge] = []
    for edge in graph.edges:
        producer = graph.calls.get(edge.producer, edge.producer)
        if producer in graph.domains and edge.consumer in graph.domains:
            source, target = graph.domains[producer], graph.domains[edge.consumer]
            read = replace(edge.function, outputs=edge.function.outputs[: source.space.dimensions])
            relation = Relation.of(edge.domain, read, edge.projection, source.space, target.space)
            edges.append(DependenceEdge(producer, edge.consumer, relation))
    return BandTask(graph.domains, tuple(e for e in edges if not e.relation.is_empty()), cost=cost, fuse=fuse)


def schedules_text(graph: DependenceGraph, cost: Cost, fuse: Fuse = Fuse.SMART) -> str:
    """Returns the dates of all variables, of one length, as `setSchedule` takes them. Raises Rejected (AZ511)."""
    task = graph_task(graph, cost, fuse)
    try:
        tree = schedule(task)
    except (NoSchedule, TimeoutError) as reason:
        raise _none(graph, str(reason) or "HiGHS takes too long") from None
    affines: dict[str, tuple[Affine, ...]] = {}
    _collect(tree, (), affines)
    length = max(map(len, affines.values()), default=0)
    return _text(task, {name: (*row, *((Affine(),) * (length - len(row)))) for name, row in affines.items()})


def one_dimensional(graph: DependenceGraph) -> str:
    """Returns one-dimensional times that satisfy all dependences. Raises Rejected (AZ511) if there are none."""
    task = graph_task(graph, FEAUTRIER)
    row = one_row(task)
    left = () if row is None else tuple(not_carried(task.validity, row))
    if row is None or left:
        blocked = f": {left[0].source} -> {left[0].target} is not ordered" if left else ""
        raise _none(graph, f"there is none in one dimension{blocked}")
    return _text(task, {name: (value,) for name, value in row.items()})


def _none(graph: DependenceGraph, reason: str) -> Rejected:
    message = f"no schedule of {graph.system} was found"
    return Rejected(Diagnostic(NO_SCHEDULE, message, Label(NOWHERE), notes=(reason,)))


def _collect(tree: Tree, above: tuple[Mapping[str, Affine], ...], rows: dict[str, tuple[Affine, ...]]) -> None:
    if isinstance(tree, Leaf):
        for name in tree.statements:
            rows[name] = tuple(row[name] for row in above)
    elif isinstance(tree, BandNode):
        _collect(tree.below, (*above, *tree.rows), rows)
    else:
        for position, part in enumerate(tree.parts):
            _collect(part, (*above, dict.fromkeys(part.statements, Affine(constant=position))), rows)


def _text(task: BandTask, dates: Mapping[str, tuple[Affine, ...]]) -> str:
    """`B: (i -> i,0); C: (i -> i,1)`, in the order of the variables."""
    functions = {name: AffineFunction(domain.space, dates[name]) for name, domain in task.domains.items()}
    return "; ".join(f"{name}: {function_text(function)}" for name, function in functions.items())
