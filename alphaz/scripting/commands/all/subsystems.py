"""Commands that inline and outline systems."""

from alphaz.mapping.design import Design
from alphaz.scripting.commands.all.transformed import transformed
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.arguments import LabelName, SystemName, VariableNames
from alphaz.scripting.commands.outcome import Outcome
from alphaz.transform.systems.inline_system import inline_subsystem
from alphaz.transform.systems.outline_system import outline_subsystem


@command(Topic.TRANSFORM, name="InlineSubSystem")
def inline_sub_system(design: Design, system: SystemName, label: LabelName, *, call: BoundCall) -> Outcome:
    """Replace a use equation by the equations of the called system.

    Rewrites: the variables of that system into locals, over the extension domain times their own; an output becomes the
    caller's variable if type and domain agree, and an input that only reads a variable becomes that read. A name in use
    gets a number. A system that calls itself is unrolled once.

    Checks: the called system has no loop.

    Example:
        InlineSubSystem(prog, "table", "UseEquation_Y");"""
    return transformed(inline_subsystem(design, system, label, call.at("label")))


@command(Topic.TRANSFORM, name="OutlineSubSystem")
def outline_sub_system(design: Design, system: SystemName, variables: VariableNames, *, call: BoundCall) -> Outcome:
    """Move the equations of variables to a new system, `<system>_<first variable>`, and call it once.

    Rewrites: variables that they read and do not define become its inputs; variables that are read elsewhere, and
    outputs, become its outputs; the others its locals. Dates and cells move with their variables.

    Checks: each has an equation; a use equation moves as a whole; no remaining variable both reads one of them and is
    read by another.

    Example:
        OutlineSubSystem(prog, "sums", "B");"""
    return transformed(outline_subsystem(design, system, variables, call.at("variables")))
