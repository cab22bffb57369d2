"""Commands for the arguments of use equations: allocation, copy and release of their arrays, and memory spaces.

`is_output` is 0 for an input of the called system and 1 for an output; `number` counts them from 0. All dates are over
the indices of the extension domain: there is one allocation, one copy and one release for each call."""

from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import ARGUMENT
from alphaz.mapping.design import Design
from alphaz.mapping.statement import labelled_uses
from alphaz.mapping.target_mapping import ArgumentDate, ArgumentSpace, CallMoment
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.parameter_types import AffineMap, LabelName, Natural, NewName, Side, SystemName
from alphaz.scripting.commands.kinds.polyhedral import Map


@command(Topic.MAPPING)
def set_space_time_map_for_memory_allocation(
    design: Design, system: SystemName, label: LabelName, is_output: Side, number: Natural, map_: AffineMap, *,
    call: BoundCall,
) -> Design:  # fmt: skip
    """Set the date of the allocation of the array of an argument of a use equation.

    Arguments that are allocated at one date share one array, which the calls use in turn. Without a date an array is
    allocated just before its first use.

    Rewrites: the mapping of the system.

    Checks: the label and the number. VerifyTargetMapping checks that the date is early enough.

    Example:
        setSpaceTimeMap(prog, "table", "UseEquation_Y", "(r->1,r,1)");
        setSpaceTimeMapForMemoryAllocation(prog, "table", "UseEquation_Y", 0, 0, "(r->0,0,0)");"""
    return _dated(design, system, (label, is_output, number), {CallMoment.ALLOCATION: map_}, call)


@command(Topic.MAPPING)
def set_space_time_map_for_value_copy(
    design: Design, system: SystemName, label: LabelName, is_output: Side, number: Natural, map_: AffineMap, *,
    call: BoundCall,
) -> Design:  # fmt: skip
    """Set the date of the copy of an argument of a use equation (to the array of an input, from that of an output).

    Without a date it is part of the call.

    Rewrites: the mapping of the system.

    Checks: the label and the number.

    Example:
        setSpaceTimeMap(prog, "table", "UseEquation_Y", "(r->r,1)");
        setSpaceTimeMapForValueCopy(prog, "table", "UseEquation_Y", 0, 0, "(r->r,0)");"""
    return _dated(design, system, (label, is_output, number), {CallMoment.COPY: map_}, call)


@command(Topic.MAPPING)
def set_space_time_map_for_memory_free(
    design: Design, system: SystemName, label: LabelName, is_output: Side, number: Natural, map_: AffineMap, *,
    call: BoundCall,
) -> Design:  # fmt: skip
    """Set the date of the release of the array of an argument of a use equation.

    Without a date, an array with a date of allocation is released at the end, any other one just after its last use.

    Rewrites: the mapping of the system.

    Checks: the label and the number. VerifyTargetMapping checks that the date is late enough.

    Example:
        setSpaceTimeMap(prog, "table", "UseEquation_Y", "(r->1,r,1)");
        setSpaceTimeMapForMemoryAllocation(prog, "table", "UseEquation_Y", 0, 0, "(r->0,0,0)");
        setSpaceTimeMapForMemoryFree(prog, "table", "UseEquation_Y", 0, 0, "(r->2,0,0)");"""
    return _dated(design, system, (label, is_output, number), {CallMoment.FREE: map_}, call)


@command(Topic.MAPPING)
def set_space_time_map_for_use_equation_optimization(
    design: Design, system: SystemName, label: LabelName, is_output: Side, number: Natural, allocation: AffineMap,
    copy: AffineMap, release: AffineMap, *, call: BoundCall,
) -> Design:  # fmt: skip
    """Set the dates of allocation, copy and release of the array of an argument of a use equation.

    Rewrites: the mapping of the system.

    Checks: the label and the number. VerifyTargetMapping checks the order of the three and of the call.

    Example:
        setSpaceTimeMap(prog, "table", "UseEquation_Y", "(r->r,2)");
        setSpaceTimeMapForUseEquationOptimization(prog, "table", "UseEquation_Y", 0, 0,
            "(r->r,0)", "(r->r,1)", "(r->r,3)");"""
    dates = {CallMoment.ALLOCATION: allocation, CallMoment.COPY: copy, CallMoment.FREE: release}
    return _dated(design, system, (label, is_output, number), dates, call)


@command(Topic.MAPPING)
def set_memory_space_for_use_equation_optimization(
    design: Design, system: SystemName, label: LabelName, is_output: Side, number: Natural, space: NewName, *,
    call: BoundCall,
) -> Design:  # fmt: skip
    """Let a use equation read an input from (or leave an output in) a memory space of variables, without a copy.

    The input must be a plain access to a variable of that space, an output a variable of that space. With a space
    without variables the argument has an array of its own.

    Rewrites: the mapping of the system.

    Checks: the label and the number. VerifyTargetMapping checks that the argument is in that space.

    Example:
        setSpaceTimeMap(prog, "table", "UseEquation_Y", "(r->r)");
        setMemorySpaceForUseEquationOptimization(prog, "table", "UseEquation_Y", 0, 0, "X");"""
    _check_number(design, system, (label, is_output, number), call)
    mapping = design.mapping(system)
    entry = ArgumentSpace(label, is_output, number, space, span=call.span)
    others = tuple(a for a in mapping.argument_spaces if (a.label, a.is_output, a.number) != (label, is_output, number))
    return design.with_mapping(system, replace(mapping, argument_spaces=(*others, entry)))


Argument = tuple[str, bool, int]


def _dated(design: Design, system: str, argument: Argument, dates: dict[CallMoment, Map], call: BoundCall) -> Design:
    _check_number(design, system, argument, call)
    mapping = design.mapping(system)
    for moment, map_ in dates.items():
        mapping = mapping.with_argument_date(ArgumentDate(*argument, moment, map_.function, span=map_.span))
    return design.with_mapping(system, mapping)


def _check_number(design: Design, system: str, argument: Argument, call: BoundCall) -> None:
    label, is_output, number = argument
    equation = labelled_uses(design.system(system))[label]
    what = "output" if is_output else "input"
    count = len(equation.outputs) if is_output else len(equation.inputs)
    if number >= count:
        has = f"{count} {what}{'' if count == 1 else 's'}" if count else f"no {what}s"
        message = f"`{label}` has {has}, counted from 0: there is no {what} {number}"
        place = Label(equation.span, f"`{label}` is written here")
        raise Rejected(Diagnostic(ARGUMENT, message, Label(call.at("number")), (place,)))
