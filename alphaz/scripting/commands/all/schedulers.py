"""Dependence graphs, and scheduling algorithms from a graph to the argument of setSchedule."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

from alphaz.analysis.facts.graph import DependenceGraph, dependence_graph
from alphaz.mapping.design import Design
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.arguments import FileName, Flag, SystemName
from alphaz.scripting.commands.kinds.kind import ArgumentKind, ChoiceKind, SoFar, Unfit
from alphaz.scripting.commands.outcome import Outcome, Saving
from alphaz.search.schedule.graph_schedules import one_dimensional, schedules_text
from alphaz.search.schedule.ilp.cost import COSTS, FEAUTRIER, PLUTO, Cost, read_cost
from alphaz.search.schedule.request import Fuse


class GraphKind(ArgumentKind):
    expected = "a dependence graph, as BuildPRDG gives it"

    def fits(self, value: object) -> bool:
        return isinstance(value, DependenceGraph)

    def convert(self, argument: ArgumentValue, so_far: SoFar) -> DependenceGraph:
        if not isinstance(argument.value, DependenceGraph):
            raise Unfit
        return argument.value


Graph = Annotated[DependenceGraph, GraphKind()]


@command(Topic.ANALYSIS, name="BuildPRDG", forms="design system [no_inputs]", fresh=True)
def build_prdg(design: Design, system: SystemName, no_inputs: Flag = True, *, call: BoundCall) -> Outcome:
    """Build the dependence graph of a system: a node for each variable, an edge for each read, consumer to producer.

    Inputs are left out, unless the last argument is 0.

    Example:
        graph = BuildPRDG(prog, "sums");
        print(graph);
    """
    return Outcome(dependence_graph(design.system(system), design.checked.facts, not no_inputs))


@command(Topic.ANALYSIS, name="ExportPRDG")
def export_prdg(graph: Graph, file: FileName, *, call: BoundCall) -> Outcome:
    """Write a dependence graph for Graphviz.

    Example:
        ExportPRDG(BuildPRDG(prog, "sums", 0), "sums.dot");
    """
    return Outcome(requests=(Saving(call.at("file"), file, str(graph)),))


@command(Topic.ANALYSIS, name="revertPRDGEdges")
def revert_prdg_edges(graph: Graph, *, call: BoundCall) -> Outcome:
    """Return the dependence graph with reversed edges, from producer to consumer.

    Example:
        flow = revertPRDGEdges(BuildPRDG(prog, "sums"));"""
    return Outcome(replace(graph, reversed_=not graph.reversed_))


class CostKind(ArgumentKind):
    """`pluto`, or terms: `slope; distance; 2 reversals + coefficients`."""

    expected = 'a cost, as in "pluto" or "slope; distance; coefficients"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str)

    def convert(self, argument: ArgumentValue, so_far: SoFar) -> Cost:
        if not isinstance(argument.value, str):
            raise Unfit
        return COSTS.get(argument.value.strip()) or read_cost(argument.text_span(), argument.value.strip())

    def suggestions(self, so_far: SoFar) -> Iterable[str]:
        return COSTS


CostName = Annotated[Cost, CostKind()]
FuseName = Annotated[Fuse, ChoiceKind({fuse.value.upper(): fuse for fuse in Fuse})]


@command(Topic.SCHEDULE, name="PlutoScheduler", forms="graph [cost] | graph cost fuse")
def pluto_scheduler(graph: Graph, cost: CostName = PLUTO, fuse: FuseName = Fuse.SMART, *, call: BoundCall) -> Outcome:
    """Find tileable schedules: rows with non-negative, short dependence distances (Bondhugula 2008).

    The result is for setSchedule. The cost is a list of terms to minimise, separated by `;`, the most important first
    (`alphaz schedule --cost` takes the same from a file), or the name of a cost. Fused are statements that gain by it
    (`smart`), only those that must be (`no`), or all (`max`).

    Checks: there is such a schedule. VerifyTargetMapping checks that it is legal with the rest of the mapping.

    Example:
        graph = BuildPRDG(prog, "sums");
        setSchedule(prog, "sums", PlutoScheduler(graph));
        setSchedule(prog, "sums", PlutoScheduler(graph, "slope; distance; 2reversals + coefficients; order + shifts"));
    """
    return Outcome(schedules_text(graph, cost, fuse))


@command(Topic.SCHEDULE, name="FarkasMDScheduler")
def farkas_md_scheduler(graph: Graph, *, call: BoundCall) -> Outcome:
    """Find schedules with few sequential steps: each row carries as much as possible (Feautrier 1992).

    Checks: there is such a schedule.

    Example:
        setSchedule(prog, "sums", FarkasMDScheduler(BuildPRDG(prog, "sums")));"""
    return Outcome(schedules_text(graph, FEAUTRIER, Fuse.MAX))


@command(Topic.SCHEDULE, name="Farkas1DScheduler")
def farkas_1d_scheduler(graph: Graph, *, call: BoundCall) -> Outcome:
    """Find one-dimensional times that satisfy all dependences, with few steps (Feautrier 1992, part I).

    Points with one time may be computed at once; dates need further dimensions to be distinct.

    Checks: one dimension is enough.

    Example:
        print(Farkas1DScheduler(BuildPRDG(prog, "sums")));"""
    return Outcome(one_dimensional(graph))
