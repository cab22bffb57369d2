"""Commands that find a mapping (proved before it is set) or a schedule of a dependence graph, and choices left to
`alphaz tune`."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

from alphaz.analysis.facts.dependence_graph import DependenceGraph, dependence_graph
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import DATED
from alphaz.mapping.design import Design
from alphaz.processes.copies import bounded
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.kind import ArgumentKind, ChoiceKind, EarlierArguments, StrategyKind, Unfit
from alphaz.scripting.commands.kinds.parameter_types import Anything, FileName, Flag, SystemName, Text
from alphaz.scripting.commands.outcome import Outcome, Saving
from alphaz.search.schedule.graph_schedules import one_dimensional, schedules_text
from alphaz.search.schedule.ilp.cost import COSTS, FEAUTRIER, PLUTO, Cost, read_cost
from alphaz.search.schedule.propose import propose
from alphaz.search.schedule.request import AUTO, Fuse, Goal, ScheduleRequest

GoalName = Annotated[Goal, ChoiceKind({goal.value.upper(): goal for goal in Goal})]
StrategyName = Annotated[str, StrategyKind()]
FuseName = Annotated[Fuse, ChoiceKind({fuse.value.upper(): fuse for fuse in Fuse})]


@command(Topic.SCHEDULE, forms="design [system] | design system [goal] [fuse] [strategy]")
def schedule(
    design: Design,
    system: SystemName | None = None,
    goal: GoalName = Goal.TILE,
    fuse: FuseName = Fuse.SMART,
    strategy: StrategyName = AUTO,
    *,
    call: BoundCall,
) -> Design:
    """Find a mapping: dates for all operations, threads, tiles, memory; and prove it.

    The goal is `tile` (bands of tileable loops), `parallel` (parallel loops, inside sequential ones if there are no
    outer ones) or `latency` (few sequential steps). Fused are statements that gain by it (`smart`), only those that
    must be (`no`), or all (`max`). The strategy optimises the mapping: the first that applies (`auto`), none (`none`:
    dates and threads alone), or one by its name. `alphaz schedule` writes the mapping as a script, with its reasons.

    Rewrites: reductions, as NormalizeReduction; the mapping of the system, or of all systems without dates. Memory maps
    stay.

    Checks: the system has no dates. The mapping is proved as by VerifyTargetMapping, or none is set.

    Example:
        schedule(prog, "sums");"""
    schedule_request = ScheduleRequest(goal, fuse, strategy, bounded=bounded)
    return replace(scheduled_design(design, system, schedule_request, Label(call.span)), history=design.history)


def scheduled_design(design: Design, system: str | None, schedule_request: ScheduleRequest, place: Label) -> Design:
    """Returns the design with a proposal for the system, or for all systems without dates. Raises Rejected (AZ511 to
    AZ515)."""
    chosen = undated_systems(design) if system is None else [system]
    for name in chosen:
        check_undated(design, name, place)
    for name in chosen:
        design = propose(design, name, schedule_request, carry_out).design
    return design


def undated_systems(design: Design) -> list[str]:
    """Returns the names of the systems whose mapping has no dates."""
    return [system.name for system in design.program.systems if not is_dated(design, system.name)]


def is_dated(design: Design, system: str) -> bool:
    """Returns True if the mapping of the system has dates."""
    mapping = design.mapping(system)
    return any((mapping.space_time, mapping.kinds, mapping.ordering, mapping.tiling, mapping.registers))


def check_undated(design: Design, system: str, place: Label) -> None:
    """Raises Rejected (AZ512) if the script has set dates already."""
    if is_dated(design, system):
        message = f"{system} has dates already, or kinds of dimensions, orderings or tiles"
        remedy = "schedule a program as it was read, with memory maps at most"
        raise Rejected(Diagnostic(DATED, message, place, help=remedy))


@command(Topic.MAPPING)
def choose(name: Text, *alternatives: Anything, call: BoundCall) -> object:
    """Choose one of several numbers or texts: `alphaz tune` chooses by execution time; other commands take the first.

    The name identifies the choice: the same name with the same alternatives gives the same value. The alternatives are
    literal numbers and texts.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setTiling(prog, "sums", 0, choose("size", 16, 32, 64));"""
    return alternatives[0]


class GraphKind(ArgumentKind):
    expected = "a dependence graph, as BuildPRDG gives it"

    def fits(self, value: object) -> bool:
        return isinstance(value, DependenceGraph)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> DependenceGraph:
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

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> Cost:
        if not isinstance(argument.value, str):
            raise Unfit
        return COSTS.get(argument.value.strip()) or read_cost(argument.text_span(), argument.value.strip())

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        return COSTS


CostName = Annotated[Cost, CostKind()]


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
