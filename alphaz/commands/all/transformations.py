"""Commands that rewrite programs; each checks before it acts."""

from alphaz.commands.all.transformed import transformed
from alphaz.commands.declaring.call import Call
from alphaz.commands.declaring.declaration import Topic
from alphaz.commands.declaring.registry import command
from alphaz.commands.kinds.arguments import NewName, SystemName, SystemTitle, VariableName
from alphaz.commands.outcome import Outcome
from alphaz.mapping.design import Design
from alphaz.transform.normal.normalize import normalize as normal_form
from alphaz.transform.variables.rename import rename_system as with_system_name
from alphaz.transform.variables.rename import rename_variable as with_variable_name
from alphaz.transform.variables.unused import remove_unused_variables as without_unused_variables


@command(Topic.TRANSFORM, name="Normalize", aliases=("DeepNormalize",))
def normalize(design: Design, *, call: Call) -> Outcome:
    """Bring every equation to its normal form: cases outside, then restricts, operators, and reads at one function.

    Rewrites: composed functions into one; functions through operators, cases and restricts; restricts and cases out of
    operators; nested restricts into one, nested cases flat; branches that are defined nowhere, and functions and
    restricts without effect, away.

    Checks: nothing needs to hold.

    Example:
        Normalize(prog);
    """
    return transformed(normal_form(design))


@command(Topic.TRANSFORM, name="RenameSystem")
def rename_system(design: Design, system: SystemName, new: SystemTitle, *, call: Call) -> Outcome:
    """Give a system another name.

    Rewrites: its heading and every use equation that calls it. Its mapping goes with it.

    Checks: no other system has the new name.

    Example:
        RenameSystem(prog, "sums", "prefix_sums");
    """
    return transformed(with_system_name(design, system, new, call.at("new")))


@command(Topic.TRANSFORM, name="RenameVariable")
def rename_variable(design: Design, system: SystemName, variable: VariableName, new: NewName, *, call: Call) -> Outcome:
    """Give a variable another name.

    Rewrites: its declaration, its equation and every read of it, in one system. Its mapping goes with it, and so does
    the memory space of its name.

    Checks: the system has nothing of the new name.

    Example:
        RenameVariable(prog, "sums", "B", "S");
    """
    return transformed(with_variable_name(design, system, variable, new, call.at("new")))


@command(Topic.TRANSFORM, name="RemoveUnusedVariables", aliases=("RemoveUnusedEquations",))
def remove_unused_variables(design: Design, system: SystemName | None = None, *, call: Call) -> Outcome:
    """Remove the locals that no output needs, directly or through other variables.

    Rewrites: their declarations and equations go, and their mapping with a warning. Inputs and outputs stay.

    Checks: nothing needs to hold.

    Example:
        RemoveUnusedVariables(prog);
    """
    return transformed(without_unused_variables(design, system))
