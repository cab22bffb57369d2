"""Commands that say where: memory maps and memory spaces."""

from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import MAP_SHAPE
from alphaz.mapping.design import Design
from alphaz.mapping.factors import factors_text
from alphaz.mapping.target import MemoryMap, Overwritable, StorageFormat
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.arguments import (
    CellMap,
    FormatName,
    InputNames,
    Moduli,
    NewName,
    SystemName,
    VariableNames,
)
from alphaz.scripting.commands.kinds.shapes import as_cell
from alphaz.scripting.commands.outcome import Outcome


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
    """Say in which cell each point of variables is stored, in which memory space, and modulo what.

    Without a space a variable keeps the one that it has, which is its own name at first. A mod factor of 0 is none;
    fewer factors than dimensions leave the rest without. A factor may be affine in the parameters, as in "N+2,0": it is
    positive for all of them, and the variables of a space have the same.

    Rewrites: the mapping of the system; a later map of the same variable replaces an earlier one.

    Checks: the number of indices, and of mod factors, which are no more than the dimensions. Whether values
    live long enough is for VerifyTargetMapping.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setMemoryMap(prog, "sums", "B", "rows", "(i->i)", "0");
    """
    outputs = len(map_.function.outputs)
    if len(moduli) > outputs:
        message = f"{len(moduli)} mod factors are given for a memory map with {outputs} dimensions"
        raise Rejected(Diagnostic(MAP_SHAPE, message, Label(call.at("moduli")), (Label(map_.span, "the memory map"),)))
    factors = (*moduli, *(0,) * (outputs - len(moduli))) if moduli else ()
    mapping = design.mapping(system)
    for name in variables:
        before = mapping.memory_of(name)
        place = space or (name if before is None else before.space)
        function = as_cell(design.system(system), name, map_)
        mapping = mapping.with_memory(MemoryMap(name, place, function, factors, span=map_.span))
    return design.with_mapping(system, mapping)


@command(Topic.MAPPING)
def set_memory_space(
    design: Design, system: SystemName, space: NewName, variables: VariableNames, *, call: BoundCall
) -> Design:
    """Let variables share one memory space; each keeps its memory map (the identity, unless it was given one).

    Rewrites: the mapping of the system.

    Checks: the names; that the maps of one space have one number of dimensions is checked when the mapping is judged.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setMemorySpace(prog, "sums", "rows", "C");
    """
    mapping = design.mapping(system)
    for name in variables:
        before = mapping.memory_of(name)
        entry = MemoryMap(name, space) if before is None else replace(before, space=space)
        mapping = mapping.with_memory(replace(entry, span=call.span))
    return design.with_mapping(system, mapping)


@command(Topic.MAPPING)
def set_storage_format(
    design: Design, system: SystemName, variables: VariableNames, format_: FormatName, *, call: BoundCall
) -> Design:
    """Say how variables lie in their own arrays: packed, banded, or with a leading dimension, by rows or by columns.

    Of a packed variable one point lies behind the other, in lexicographic order; of a banded one, a matrix, one
    diagonal beside the other. By columns the first index is the fastest, as in the BLAS. Which points are stored is
    said by the domain; "upper" or "lower" is a claim about it. Inputs and outputs are passed so; a local variable has
    an array so. A packed triangle without its diagonal has places for that where it is "unit", as in the BLAS.

    "leading" and a parameter say how far apart the rows (by columns: the columns) of a banded or of a full array lie
    in memory, as the leading dimensions of the BLAS do; of a vector, how far apart its elements lie, as increments do.
    A full array begins with index 0.

    Rewrites: the mapping of the system; a later format of the same variable replaces an earlier one.

    Checks: the words. That no two points have one place, and that rows are long enough, is proved, for all sizes, when
    the mapping is judged.

    Example:
        setStorageFormat(prog, "sums", "A", "packed row");
        setStorageFormat(prog, "sums", "A", "packed upper column");
        setStorageFormat(prog, "sums", "A", "packed lower unit column");
        setStorageFormat(prog, "sums", "A", "full column leading N");
    """
    mapping = design.mapping(system)
    for name in variables:
        mapping = mapping.with_format(StorageFormat(name, format_, span=call.at("format_")))
    return design.with_mapping(system, mapping)


@command(Topic.MAPPING)
def set_overwritable(design: Design, system: SystemName, inputs: InputNames, *, call: BoundCall) -> Design:
    """Say that the caller does not need inputs after the call, so that other values may live in their arrays.

    An array is overwritten where the memory maps of others put them into the memory space of the input, inside of its
    domain, while the input has no map of its own; that nothing is read after it is overwritten is proved like all
    else. The generated function then takes the array without `const`, and its header says so. Where the input itself
    has the memory space of an output of the same points, the caller may pass one array for both, which is updated in
    place. Without this, what shares cells with an input lives in a copy of it. proposeMemory puts locals into such
    inputs by itself, and says which may be passed as an output.

    Rewrites: the mapping of the system.

    Checks: that they are inputs. That they have no dates, and that calls of the system in the program make
    arrays for them, is checked when the mapping is judged.

    Example:
        setOverwritable(prog, "sums", "A");
    """
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
    lines += [f"  {entry.variable}: {entry.format}" for entry in design.mapping(system).formats]
    lines += [f"  {entry.variable}: may be overwritten" for entry in design.mapping(system).overwritable]
    return "\n".join([f"{system}:", *lines] if lines else [f"{system}: no memory maps"]) + "\n"


def _cell(entry: MemoryMap) -> str:
    function = "the identity" if entry.function is None else str(entry.function)
    moduli = f" mod ({factors_text(entry.moduli)})" if any(entry.moduli) else ""
    return f"{function}{moduli} in {entry.space}"
