"""Overlapped tiles: a command for the dates, kinds and cells of several instances of one operation."""

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import PRECONDITION
from alphaz.diagnostics.work_limits import working_at
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import KeptOnce
from alphaz.model.expression import Reduce
from alphaz.model.walk import without_restricts
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.parameter_types import (
    Dimension,
    ParallelPrefix,
    SystemName,
    TileSize,
    TileSizes,
    VariableNames,
)
from alphaz.scripting.commands.outcome import Outcome, transformed
from alphaz.transform.engine.refusals import find_equation
from alphaz.transform.schedules.overlap import TileShape, overlap


@command(Topic.MAPPING)
def set_overlap(
    design: Design,
    system: SystemName,
    prefix: ParallelPrefix,
    variables: VariableNames,
    dimension: Dimension,
    steps: TileSize,
    sizes: TileSizes,
    *,
    call: BoundCall,
) -> Outcome:
    """Compute variables in overlapped tiles: each tile recomputes the points that it needs of the tiles around it.

    The values of a dimension of the dates, counted from after the prefix, are cut into groups of `steps`, and the
    dimensions after it (those with constants aside) into tiles of these sizes. The tiles of a group are parallel. A
    tile computes in private memory all points of its group from which the points in its box follow, and keeps those of
    its box that others read. A variable V becomes V_tile, the values of a tile; V_kept, the values for later groups;
    and V, the values that other variables read.

    Rewrites: the equations of the variables; the dates of all statements, with dimensions for the group and the tiles
    before that of the steps. setBlockDimensions and others after it count them. The cells of V_tile and V_kept, which
    setMemoryMap may change.

    Checks: the variables have equations and dates of their points; no others have dates below the prefix; there is
    one size for each dimension; a tile needs a bounded number of points. VerifyTargetMapping proves that one tile keeps
    each value (S4), that private values stay in their tile (M5), and all other obligations.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i -> 0,i,i)");
        setSpaceTimeMap(prog, "sums", "C", "(i -> 1,0,i)");
        setOrderingDimensions(prog, "sums", 0);
        setOverlap(prog, "sums", "0", "B", 0, 4, "16");"""
    (level, *further) = sizes
    if further or 0 in level:
        message = "overlapped tiles have one level, and each dimension has a size"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(call.at("sizes")), help='write them as in "64,16"'))
    shape = TileShape(prefix, dimension, steps, level)
    with working_at(call.span, "which points the tiles of `setOverlap` need", "choose smaller groups of steps"):
        return transformed(overlap(design, system, variables, shape, call.span))


@command(Topic.MAPPING)
def set_kept_once(design: Design, system: SystemName, variables: VariableNames, *, call: BoundCall) -> Design:
    """State that each value of reductions has exactly one contribution: the instance that one of several tiles keeps.

    For tiles that a program states itself; setOverlap does this for its own.

    Rewrites: the mapping of the system; a variable has one obligation, however often it is named.

    Checks: the right-hand sides are reductions. VerifyTargetMapping proves that there is one contribution (S4).

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setKeptOnce(prog, "sums", "C");"""
    for name in variables:
        equation = find_equation(design.system(system), name, call.at("variables"))
        if not isinstance(without_restricts(equation.expression), Reduce):
            message = f"the right-hand side of `{name}` is no reduction, so it selects no instance"
            help_ = "name variables that are reductions over the tiles"
            raise Rejected(Diagnostic(PRECONDITION, message, Label(call.at("variables")), help=help_))
    mapping = design.mapping(system)
    for name in variables:
        mapping = mapping.with_kept(KeptOnce(name, span=call.span))
    return design.with_mapping(system, mapping)
