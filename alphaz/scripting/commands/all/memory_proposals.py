"""Commands that find memory maps. Proposals are proved before they are printed or set."""

import re
from typing import Annotated

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import ARGUMENT
from alphaz.mapping.design import Design
from alphaz.model.program import Kind as VariableKind
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.arguments import SystemName, VariableNames
from alphaz.scripting.commands.kinds.kind import ArgumentKind, ChoiceKind, SoFar, Unfit
from alphaz.scripting.commands.outcome import Outcome
from alphaz.search.memory.map_reports import ProposalReport
from alphaz.search.memory.proposal import MemoryProposal, Refusal, Request, propose
from alphaz.search.memory.sharing import Objective
from alphaz.search.memory.text import lines

_SIZE = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*([+-]?\d+)\s*")


class SizesKind(ArgumentKind):
    expected = 'values of parameters, such as "N=2000,T=200"'
    names_words = True

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and all(map(_SIZE.fullmatch, value.split(",")))

    def convert(self, argument: ArgumentValue, so_far: SoFar) -> dict[str, int]:
        if not isinstance(argument.value, str):
            raise Unfit
        if "=" not in argument.value:
            words = " nor ".join(f"`{goal.value}`" for goal in Objective)
            raise Unfit(f"this is neither {words}, nor values of parameters")
        matches = [_SIZE.fullmatch(text) for text in argument.value.split(",")]
        sizes = {match[1]: int(match[2]) for match in matches if match is not None}
        if None in matches:
            raise Unfit
        for name in sizes:
            if name not in so_far.system.parameters:
                raise Unfit(f"{so_far.system.name} has no parameter {name}")
        return sizes


ObjectiveName = Annotated[Objective, ChoiceKind({objective_.value.upper(): objective_ for objective_ in Objective})]
Sizes = Annotated[dict[str, int], SizesKind()]


@command(Topic.MAPPING, forms="design system [variables] [objective] [sizes]")
def propose_memory(
    design: Design,
    system: SystemName,
    variables: VariableNames = (),
    objective: ObjectiveName = Objective.SPEED,
    sizes: Sizes | None = None,
    *,
    call: BoundCall,
) -> Outcome:
    """Print memory maps that need as few cells as the order of operations allows, as commands; the design is unchanged.

    Maps are found for the locals without a map (or for the named variables); stated maps are kept. `speed` prefers maps
    with contiguous accesses, `size` those with fewer cells; numbers of cells are compared at the parameter values
    `sizes`. A comment above each command gives the cells of its space, whether a lower power of the parameters is
    impossible, and alternatives. In Python the result has all of this as values.

    Checks: the schedule is legal; the printed maps are proved as by VerifyTargetMapping.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        proposeMemory(prog, "sums");"""
    proposal = _proposal(design, system, variables, objective, sizes, call)
    account = ProposalReport.of(proposal)
    return Outcome(account, printed="".join(f"{line}\n" for line in lines(account, design.mapping(system))))


@command(Topic.MAPPING, forms="design system [variables] [objective] [sizes]")
def set_proposed_memory(
    design: Design,
    system: SystemName,
    variables: VariableNames = (),
    objective: ObjectiveName = Objective.SPEED,
    sizes: Sizes | None = None,
    *,
    call: BoundCall,
) -> Design:
    """Set the memory maps that proposeMemory prints first.

    Rewrites: the mapping of the system; stated maps stay, unless their variables are named.

    Checks: the schedule is legal; the maps are proved as by VerifyTargetMapping.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setProposedMemory(prog, "sums");"""
    return _proposal(design, system, variables, objective, sizes, call).design


def _proposal(
    design: Design,
    system: str,
    variables: tuple[str, ...],
    objective: Objective,
    sizes: dict[str, int] | None,
    call: BoundCall,
) -> MemoryProposal:
    for name in variables:
        if design.system(system).variable(name).kind is not VariableKind.LOCAL:
            message = f"{name} is no local of {system}: the caller decides where it is stored"
            raise Rejected(Diagnostic(ARGUMENT, message, Label(call.at("variables"))))
    proposal = propose(design, system, Request(objective, sizes or {}, variables))
    if isinstance(proposal, Refusal):
        raise Rejected(*(finding for finding in proposal.report.findings if finding.is_error))
    return proposal
