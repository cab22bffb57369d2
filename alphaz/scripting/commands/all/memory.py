"""Memory allocation commands: memory maps, memory spaces, and the search for maps, which are proved before they are
set."""

import re
from dataclasses import replace
from typing import Annotated

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import ARGUMENT, MAP_SHAPE
from alphaz.mapping.design import Design
from alphaz.mapping.factors import Factor, factors_text
from alphaz.mapping.target_mapping import GhostMap, MemoryMap, Overwritable, PrivateMemory, StorageFormat
from alphaz.model.program import Kind as VariableKind
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.index_counts import as_cell
from alphaz.scripting.commands.kinds.kind import ArgumentKind, ChoiceKind, EarlierArguments, Unfit
from alphaz.scripting.commands.kinds.parameter_types import (
    CellMap,
    FormatName,
    InputNames,
    Moduli,
    Natural,
    NewName,
    SystemName,
    VariableNames,
)
from alphaz.scripting.commands.kinds.polyhedral import Map
from alphaz.scripting.commands.outcome import Outcome
from alphaz.search.memory.map_reports import ProposalReport
from alphaz.search.memory.proposal import MemoryProposal, Refusal, Request, propose
from alphaz.search.memory.sharing import Objective
from alphaz.search.memory.text import lines


@command(Topic.MAPPING, forms="design system variables [space] map_ [moduli]")
def set_memory_map(
    design: Design,
    system: SystemName,
    variables: VariableNames,
    map_: CellMap,
    space: NewName | None = None,
    moduli: Moduli = (),
    *,
    call: BoundCall,
) -> Design:
    """Set the cell of each point of variables, their memory space, and mod factors.

    Without a space a variable keeps its space, initially the one of its own name. A mod factor of 0 means none; missing
    factors are 0. A factor may be affine in the parameters, as in "N+2,0": it must be positive for all parameters, and
    the same for all variables of a space.

    Rewrites: the mapping of the system; a later map of the same variable replaces an earlier one.

    Checks: the number of indices, and of mod factors, which are no more than the dimensions. VerifyTargetMapping checks
    that values live long enough.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setMemoryMap(prog, "sums", "B", "rows", "(i->i)", "0");"""
    factors = _padded(moduli, map_, call)
    mapping = design.mapping(system)
    for name in variables:
        before = mapping.memory_of(name)
        place = space or (name if before is None else before.space)
        function = as_cell(design.system(system), name, map_)
        mapping = mapping.with_memory(MemoryMap(name, place, function, factors, span=map_.span))
    return design.with_mapping(system, mapping)


@command(Topic.MAPPING, forms="design system variables [space] map_ [moduli]")
def set_ghost_map(
    design: Design,
    system: SystemName,
    variables: VariableNames,
    map_: CellMap,
    space: NewName | None = None,
    moduli: Moduli = (),
    *,
    call: BoundCall,
) -> Design:
    """Set the cells in which a rank keeps the points of variables that it receives from other ranks.

    Without a ghost map a received point has the cell of the memory map, next to the points of the rank (a halo).
    Without a space, the ghosts of `X` have a space of their own, `X_ghost`. Factors are those of setMemoryMap.

    Rewrites: the mapping of the system; a later ghost map of the same variable replaces an earlier one.

    Checks: the number of indices, and of mod factors. VerifyTargetMapping checks that received points live long enough.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->0,i)");
        setDistributed(prog, "sums", "", 1, "block");
        setGhostMap(prog, "sums", "B", "(i->i)", "2");"""
    factors = _padded(moduli, map_, call)
    mapping = design.mapping(system)
    for name in variables:
        function = as_cell(design.system(system), name, map_)
        mapping = mapping.with_ghosts(GhostMap(name, space or f"{name}_ghost", function, factors, span=map_.span))
    return design.with_mapping(system, mapping)


def _padded(moduli: tuple[Factor, ...], map_: Map, call: BoundCall) -> tuple[Factor, ...]:
    """Returns the mod factors of a map, with 0 for missing ones. Raises Rejected(MAP_SHAPE) for too many."""
    outputs = len(map_.function.outputs)
    if len(moduli) > outputs:
        message = f"{len(moduli)} mod factors are given for a memory map with {count_text(outputs, 'dimension')}"
        raise Rejected(Diagnostic(MAP_SHAPE, message, Label(call.at("moduli")), (Label(map_.span, "the memory map"),)))
    return (*moduli, *(0,) * (outputs - len(moduli))) if moduli else ()


@command(Topic.MAPPING)
def set_memory_space(
    design: Design, system: SystemName, space: NewName, variables: VariableNames, *, call: BoundCall
) -> Design:
    """Let variables share one memory space; each keeps its memory map (by default the identity).

    Rewrites: the mapping of the system.

    Checks: the names. VerifyTargetMapping checks that the maps of one space have the same number of dimensions.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setMemorySpace(prog, "sums", "rows", "C");"""
    mapping = design.mapping(system)
    for name in variables:
        before = mapping.memory_of(name)
        entry = MemoryMap(name, space) if before is None else replace(before, space=space)
        mapping = mapping.with_memory(replace(entry, span=call.span))
    return design.with_mapping(system, mapping)


@command(Topic.MAPPING)
def set_private_memory(
    design: Design, system: SystemName, variables: VariableNames, dimensions: Natural, *, call: BoundCall
) -> Design:
    """Give each iteration of the loops over the first dimensions of the dates its own memory for locals.

    The memory exists during the iteration: no value may be read in another one. On a GPU that of a block is shared
    memory. Its size is a number: the memory map counts from the beginning of the tile, as in "(b,i -> i-16b)".

    Rewrites: the mapping of the system; a later number for the same variable replaces an earlier one.

    Checks: the number. VerifyTargetMapping checks that the variables are locals with dates, and that their values are
    used in the iteration in which they are computed.

    Example:
        AddLocal(prog, "sums", "S", "0,1,0,0");
        setSpaceTimeMap(prog, "sums", "S", "(i,k->i,k)");
        setPrivateMemory(prog, "sums", "S", 1);"""
    if dimensions == 0:
        message = "memory that is private in 0 dimensions is that of the whole run"
        help_ = "write the number of leading dimensions of the dates, or leave this out"
        raise Rejected(Diagnostic(MAP_SHAPE, message, Label(call.at("dimensions")), help=help_))
    mapping = design.mapping(system)
    for name in variables:
        mapping = mapping.with_private(PrivateMemory(name, dimensions, span=call.span))
    return design.with_mapping(system, mapping)


@command(Topic.MAPPING)
def set_storage_format(
    design: Design, system: SystemName, variables: VariableNames, format_: FormatName, *, call: BoundCall
) -> Design:
    """Set the layout of variables in their arrays: packed, banded, leading dimension; by rows or by columns.

    The points of a packed variable are contiguous, in lexicographic order; those of a banded matrix lie by diagonals.
    By columns the first index is the fastest, as in the BLAS. The domain determines the stored points; "upper" or
    "lower" is a claim about it. Inputs and outputs are passed in this layout; a local variable has an array of this
    layout. A packed "unit" triangle without its diagonal has places for the diagonal, as in the BLAS.

    "leading" and a parameter give the distance in memory of the rows (by columns: the columns) of a banded or full
    array, as the leading dimensions of the BLAS do; of a vector, the distance of its elements, as increments do. A full
    array begins with index 0.

    Rewrites: the mapping of the system; a later format of the same variable replaces an earlier one.

    Checks: the words. VerifyTargetMapping proves, for all sizes, that no two points have one place, and that rows are
    long enough.

    Example:
        setStorageFormat(prog, "sums", "A", "packed row");
        setStorageFormat(prog, "sums", "A", "packed upper column");
        setStorageFormat(prog, "sums", "A", "packed lower unit column");
        setStorageFormat(prog, "sums", "A", "full column leading N");"""
    mapping = design.mapping(system)
    for name in variables:
        mapping = mapping.with_format(StorageFormat(name, format_, span=call.at("format_")))
    return design.with_mapping(system, mapping)


@command(Topic.MAPPING)
def set_overwritable(design: Design, system: SystemName, inputs: InputNames, *, call: BoundCall) -> Design:
    """Allow the memory of inputs to be overwritten: the caller does not need them after the call.

    An array is overwritten if memory maps put other variables into the memory space of the input, inside its domain,
    while the input has no map of its own; the verifier proves that no value is read after it was overwritten. The
    generated function then takes the array without `const`, and its header says so. If the input itself has the memory
    space of an output of the same points, the caller may pass one array for both, which is updated in place. Without
    this command, variables that share cells with an input live in a copy of it. proposeMemory puts locals into such
    inputs, and reports the inputs that may be passed as an output.

    Rewrites: the mapping of the system.

    Checks: the variables are inputs. VerifyTargetMapping checks that they have no dates, and that calls of the system
    in the program make arrays for them.

    Example:
        setOverwritable(prog, "sums", "A");"""
    mapping = design.mapping(system)
    for name in inputs:
        mapping = mapping.with_overwritable(Overwritable(name, span=call.at("inputs")))
    return design.with_mapping(system, mapping)


@command(Topic.MAPPING)
def list_memory_maps(design: Design, system: SystemName | None = None, *, call: BoundCall) -> Outcome:
    """Print the memory maps and the storage formats of one system, or of all, and which inputs may be overwritten.

    Example:
        setMemoryMap(prog, "sums", "B", "(i->i)");
        listMemoryMaps(prog, "sums");
    """
    chosen = [s.name for s in design.program.systems] if system is None else [system]
    return Outcome(printed="".join(listed(design, name) for name in chosen))


def listed(design: Design, system: str) -> str:
    lines = [f"  {entry.variable}: {_cell(entry)}" for entry in design.mapping(system).memory]
    lines += [f"  received {entry.variable}: {_cell(entry)}" for entry in design.mapping(system).ghosts]
    lines += [f"  {entry.variable}: {entry.format}" for entry in design.mapping(system).formats]
    lines += [f"  {entry.variable}: may be overwritten" for entry in design.mapping(system).overwritable]
    return "\n".join([f"{system}:", *lines] if lines else [f"{system}: no memory maps"]) + "\n"


def _cell(entry: MemoryMap) -> str:
    function = "the identity" if entry.function is None else str(entry.function)
    moduli = f" mod ({factors_text(entry.moduli)})" if any(entry.moduli) else ""
    return f"{function}{moduli} in {entry.space}"


_SIZE = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*([+-]?\d+)\s*")


class SizesKind(ArgumentKind):
    expected = 'values of parameters, such as "N=2000,T=200"'
    names_words = True

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and all(map(_SIZE.fullmatch, value.split(",")))

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> dict[str, int]:
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
            if name not in earlier.system.parameters:
                raise Unfit(f"{earlier.system.name} has no parameter {name}")
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
