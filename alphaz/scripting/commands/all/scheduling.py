"""Commands that find a mapping (proved before it is set), and choices left to `alphaz tune`."""

from dataclasses import replace
from typing import Annotated

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import DATED
from alphaz.mapping.design import Design
from alphaz.processes.copies import bounded
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.arguments import Anything, SystemName, Text
from alphaz.scripting.commands.kinds.kind import ChoiceKind, StrategyKind
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
