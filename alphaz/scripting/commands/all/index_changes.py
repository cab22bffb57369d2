"""Commands that change the indices of many variables at once; each checks its conditions first."""

from dataclasses import replace
from typing import Annotated

from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import IGNORED
from alphaz.mapping.design import Design
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.kind import FlagKind, PositiveKind
from alphaz.scripting.commands.kinds.parameter_types import NewName, SystemName, VariableName
from alphaz.scripting.commands.kinds.set_values import FunctionValue
from alphaz.scripting.commands.outcome import Outcome, transformed
from alphaz.transform.normal.dependence_functions import uniformize_in_context as uniform_reads
from alphaz.transform.systems.monoparametric import monoparametric_tiling
from alphaz.transform.variables import basis_change

Flag = Annotated[bool, FlagKind()]
Size = Annotated[int, PositiveKind()]


@command(Topic.TRANSFORM, name="UniformizeInContext", forms="design [system] [without_inputs]")
def uniformize_in_context(
    design: Design, system: SystemName | None = None, without_inputs: Flag = False, *, call: BoundCall
) -> Outcome:
    """Make every read a translation of the indices if it equals one in its context.

    Rewrites: reads of variables with as many indices as their context, of the program or of one system; with 1 as last
    argument reads of inputs stay.

    Checks: none; a read that is not uniform in its context stays.

    Example:
        UniformizeInContext(prog, "sums", 1);"""
    return transformed(uniform_reads(design, system, without_inputs))


@command(Topic.TRANSFORM, name="ApplySTMap")
def apply_st_map(design: Design, system: SystemName, *, call: BoundCall) -> Outcome:
    """Change the basis of every local to its dates, so that its indices are time and space.

    Rewrites: as CoB, for each local whose space-time map takes its indices.

    Checks: there is such a local; as CoB.

    Example:
        AddLocal(prog, "sums", "S", "0,1,0,0");
        setSpaceTimeMap(prog, "sums", "S", "(i,k -> i+k,k)");
        ApplySTMap(prog, "sums");
    """
    return transformed(basis_change.apply_space_time_maps(design, system, call.span))


@command(Topic.TRANSFORM, name="reduceDimVariable", fresh=True)
def reduce_dim_variable(design: Design, system: SystemName, variable: VariableName, *, call: BoundCall) -> Outcome:
    """Find a map of a variable to the fewest indices that is injective on its domain, for use with CoB.

    Example:
        AddLocal(prog, "sums", "S", "0,1,0,0");
        CoB(prog, "sums", "S", reduceDimVariable(prog, "sums", "S"));"""
    return Outcome(FunctionValue(basis_change.reduced_dimensions(design, system, variable, call.span)))


@command(Topic.TRANSFORM, name="alignDimVariable", fresh=True)
def align_dim_variable(design: Design, system: SystemName, variable: VariableName, *, call: BoundCall) -> Outcome:
    """Find a map that gives a variable as many indices as the others have, by appending zeros, for use with CoB.

    Example:
        AddLocal(prog, "sums", "S", "0,0,0,1");
        CoB(prog, "sums", "S", alignDimVariable(prog, "sums", "S"));"""
    return Outcome(FunctionValue(basis_change.aligned_dimensions(design, system, variable, call.span)))


@command(Topic.TRANSFORM, name="monoparametricTiling_noOutlining", forms="design system block [divides] [least]")
def monoparametric_tiling_no_outlining(
    design: Design, system: SystemName, block: NewName, divides: Flag = True, least: Size = 1, *, call: BoundCall
) -> Outcome:
    """Split every index and parameter into a block and an offset in it, by one parametric block size.

    With `divides` 1 the size divides every parameter, so that N is `block` times Nb; with 0, Nl is the remainder.

    Rewrites: N into `Nb` (and `Nl`), each index i of every variable, inputs and outputs too, into `ib` and `il`, blocks
    first; domains into the same points, reads into cases of the blocks that they reach.

    Checks: the system calls no other system and is not called; its domains have no floors; the name of the size is
    free.

    Example:
        InlineSubSystem(prog, "table", "UseEquation_Y");
        monoparametricTiling_noOutlining(prog, "table", "b", 1, 2);"""
    return transformed(monoparametric_tiling(design, system, block, divides, least, call.span))


@command(Topic.TRANSFORM, name="monoparametricTiling_Outlining", forms="design system block [divides] [least]")
def monoparametric_tiling_outlining(
    design: Design, system: SystemName, block: NewName, divides: Flag = True, least: Size = 1, *, call: BoundCall
) -> Outcome:
    """Tile as monoparametricTiling_noOutlining does; tiles are not outlined to systems, and a warning says so.

    Rewrites: as monoparametricTiling_noOutlining. OutlineSubSystem moves variables to a system.

    Checks: as monoparametricTiling_noOutlining.

    Example:
        InlineSubSystem(prog, "table", "UseEquation_Y");
        monoparametricTiling_Outlining(prog, "table", "b", 1, 2);"""
    return _in_place(monoparametric_tiling(design, system, block, divides, least, call.span), call)


@command(
    Topic.TRANSFORM, name="monoparametricTiling_Outlining_noSubsystem", forms="design system block [divides] [least]"
)
def monoparametric_tiling_outlining_no_subsystem(
    design: Design, system: SystemName, block: NewName, divides: Flag = True, least: Size = 1, *, call: BoundCall
) -> Outcome:
    """Tile as monoparametricTiling_noOutlining does; kinds of tiles get no variables, and a warning says so.

    Rewrites: as monoparametricTiling_noOutlining. Split gives a part of a variable a variable of its own.

    Checks: as monoparametricTiling_noOutlining.

    Example:
        InlineSubSystem(prog, "table", "UseEquation_Y");
        monoparametricTiling_Outlining_noSubsystem(prog, "table", "b", 1, 2);"""
    return _in_place(monoparametric_tiling(design, system, block, divides, least, call.span), call)


def _in_place(design: Design, call: BoundCall) -> Outcome:
    """The tiled program, with a warning that its tiles are not outlined."""
    note = "the original would take each kind of tile out of the equations of its variable"
    warning = Diagnostic(IGNORED, f"{call.command} leaves tiles in place", Label(call.span), notes=(note,))
    return transformed(replace(design, dropped=(*design.dropped, warning)))
