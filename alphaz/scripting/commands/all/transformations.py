"""Commands that rewrite programs; each checks its conditions first."""

from alphaz.mapping.design import Design
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.parameter_types import NewName, SystemName, SystemTitle, VariableName
from alphaz.scripting.commands.outcome import Outcome, transformed
from alphaz.transform.normal.branch_domains import lift_auto_restrict as with_domains_of_branches
from alphaz.transform.normal.dependence_functions import raise_dependence as with_functions_in_front
from alphaz.transform.normal.dependence_functions import standardize_names as with_declared_names
from alphaz.transform.normal.normalize import normalize as normal_form
from alphaz.transform.variables.remove import propagate_simple_equations as without_copies
from alphaz.transform.variables.remove import remove_unused_variables as without_unused_variables
from alphaz.transform.variables.rename import rename_system as with_system_name
from alphaz.transform.variables.rename import rename_variable as with_variable_name


@command(Topic.TRANSFORM, name="Normalize", aliases=("DeepNormalize",))
def normalize(design: Design, *, call: BoundCall) -> Outcome:
    """Bring every equation to its normal form: cases outside, then restricts, operators, and reads at one function.

    Rewrites: composed functions into one; functions through operators, cases and restricts; restricts and cases out of
    operators; nested restricts into one, nested cases flat; empty branches, and functions and restricts without effect,
    are removed.

    Checks: none.

    Example:
        Normalize(prog);"""
    return transformed(normal_form(design))


@command(Topic.TRANSFORM, name="RenameSystem")
def rename_system(design: Design, system: SystemName, new: SystemTitle, *, call: BoundCall) -> Outcome:
    """Rename a system.

    Rewrites: its heading and every use equation that calls it. Its mapping is kept.

    Checks: no other system has the new name.

    Example:
        RenameSystem(prog, "sums", "prefix_sums");"""
    return transformed(with_system_name(design, system, new, call.at("new")))


@command(Topic.TRANSFORM, name="RenameVariable")
def rename_variable(
    design: Design, system: SystemName, variable: VariableName, new: NewName, *, call: BoundCall
) -> Outcome:
    """Rename a variable.

    Rewrites: its declaration, its equation and every read of it, in one system. Its mapping is kept, and its memory
    space of the same name is renamed.

    Checks: the new name is free in the system.

    Example:
        RenameVariable(prog, "sums", "B", "S");"""
    return transformed(with_variable_name(design, system, variable, new, call.at("new")))


@command(Topic.TRANSFORM, name="RemoveUnusedVariables", aliases=("RemoveUnusedEquations",))
def remove_unused_variables(design: Design, system: SystemName | None = None, *, call: BoundCall) -> Outcome:
    """Remove the locals on which no output depends.

    Rewrites: their declarations and equations are removed, and their mapping with a warning. Inputs and outputs stay.

    Checks: none.

    Example:
        RemoveUnusedVariables(prog);"""
    return transformed(without_unused_variables(design, system))


@command(Topic.TRANSFORM, name="LiftAutoRestrict")
def lift_auto_restrict(design: Design, *, call: BoundCall) -> Outcome:
    """Write the domain of every branch of a case before the branch, if its expression implies the domain.

    `auto` in programs of the successor language gets its domain when the program is read.

    Rewrites: `A[i-1];` in a case into `{| 1<=i} : A[i-1];`, with the points at which the branch is selected.

    Checks: none. A domain that has no text in the language stays implicit.

    Example:
        LiftAutoRestrict(prog);"""
    return transformed(with_domains_of_branches(design))


@command(Topic.TRANSFORM, name="PropagateSimpleEquations")
def propagate_simple_equations(design: Design, *, call: BoundCall) -> Outcome:
    """Inline locals that are only copies: their definition is a read, a constant or the value of an index.

    Rewrites: every read of such a local into its definition; then the local is removed, and its mapping with a warning.

    Checks: as Inline; a local whose values are converted on the way stays.

    Example:
        AddLocal(prog, "sums", "S", "0,0,0,1,0,1");
        PropagateSimpleEquations(prog);"""
    return transformed(without_copies(design))


@command(Topic.TRANSFORM, name="RaiseDependence")
def raise_dependence(design: Design, *, call: BoundCall) -> Outcome:
    """Move functions that all operands share in front of their operator, as far out as possible.

    Rewrites: `B[i-1] + A[i-1]` into `(i->i-1)@(B + A)`; restricts, cases and reductions stay where they are. Normalize
    is the inverse.

    Checks: none.

    Example:
        RaiseDependence(prog);"""
    return transformed(with_functions_in_front(design))


@command(Topic.TRANSFORM, name="StandardizeNames")
def standardize_names(design: Design, *, call: BoundCall) -> Outcome:
    """Rename the indices of each equation to those in the declaration of its variable.

    Rewrites: left-hand sides, restricts, index expressions and reductions, whose own indices keep their names where
    these are free; after `f @` with the same number of indices, they name the positions there.

    Checks: none.

    Example:
        StandardizeNames(prog);"""
    return transformed(with_declared_names(design))
