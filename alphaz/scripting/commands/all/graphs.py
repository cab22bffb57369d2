"""Commands about dependence graphs."""

from dataclasses import replace
from typing import Annotated

from alphaz.analysis.facts.graph import DependenceGraph, dependence_graph
from alphaz.mapping.design import Design
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.arguments import FileName, Flag, SystemName
from alphaz.scripting.commands.kinds.kind import ArgumentKind, SoFar, Unfit
from alphaz.scripting.commands.outcome import Outcome, Saving


class GraphKind(ArgumentKind):
    expected = "a dependence graph, as BuildPRDG gives it"

    def fits(self, value: object) -> bool:
        return isinstance(value, DependenceGraph)

    def convert(self, given: ArgumentValue, so_far: SoFar) -> DependenceGraph:
        if not isinstance(given.value, DependenceGraph):
            raise Unfit
        return given.value


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
