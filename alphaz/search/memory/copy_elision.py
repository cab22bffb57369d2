"""Copies and arguments of calls that need no array of their own."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.analysis.facts.dependences import dependences_of
from alphaz.legality.verdicts import Options
from alphaz.legality.verify import is_legal
from alphaz.mapping.aliases import bare_accesses, plain_access
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.mapping.target_mapping import ArgumentSpace, MemoryMap
from alphaz.mapping.use_equations import Argument
from alphaz.model.program import Equation, Kind, System, Variable
from alphaz.poly import Affine, AffineFunction
from alphaz.search.memory.placement import Placement


def in_place(design: Design, system: str, options: Options) -> tuple[ArgumentSpace, ...]:
    """Returns each argument without a stated memory space that is proved to need no copy, given the ones before it."""
    argument_spaces: tuple[ArgumentSpace, ...] = ()
    for entry in _candidate_arguments(design, system):
        if is_legal(with_arguments(design, system, (*argument_spaces, entry)), system, options):
            argument_spaces = (*argument_spaces, entry)
    return argument_spaces


def with_arguments(design: Design, system: str, entries: tuple[ArgumentSpace, ...]) -> Design:
    mapping = design.mapping(system)
    return design.with_mapping(system, replace(mapping, argument_spaces=(*mapping.argument_spaces, *entries)))


def _candidate_arguments(design: Design, system: str) -> Iterator[ArgumentSpace]:
    mapping, stated = resolve(design, system), design.mapping(system)
    dated = {(entry.label, entry.is_output, entry.number) for entry in stated.argument_dates}
    for argument in (argument for use in mapping.uses for argument in use.arguments):
        key = (argument.label, argument.is_output, argument.number)
        variable = _variable(argument)
        if variable is not None and not argument.in_place and key not in dated:
            yield ArgumentSpace(*key, mapping.cells[variable].space)


def _variable(argument: Argument) -> str | None:
    """The caller's variable, if the argument is one."""
    if argument.body is None:
        return argument.variable
    copied = plain_access(argument.body, AffineFunction.identity(argument.domain.space))
    return None if copied is None else copied[0]


def maps_for_copies(design: Design, system: System, placement: Placement) -> Iterator[MemoryMap]:
    """Returns maps of the copied variables under which copies without a date need no operation."""
    dated = {entry.variable for entry in design.mapping(system.name).space_time}
    for equation in system.equations:
        if not isinstance(equation, Equation) or equation.variable in dated:
            continue
        variable = system.variable(equation.variable)
        identity = AffineFunction.identity(system.space(equation.indices))
        copied = plain_access(equation.expression, identity)
        if copied is not None:
            name, function = copied
            yield from _maps_of_source(system, placement, variable, name, function)


def maps_for_branch_copies(design: Design, system: System, placement: Placement) -> Iterator[MemoryMap]:
    """Returns the maps for every branch that copies to a placed variable; their legality is not checked here."""
    for equation in system.equations:
        if not isinstance(equation, Equation) or not placement.has(equation.variable):
            continue
        bare = tuple(bare_accesses(equation.expression))
        variable = system.variable(equation.variable)
        for dependence in dependences_of(equation, design.checked.facts) if bare else ():
            if any(dependence.reference is access for access in bare) and dependence.producer != equation.variable:
                function = dependence.function.renamed(equation.indices)
                yield from _maps_of_source(system, placement, variable, dependence.producer, function)


def _maps_of_source(
    system: System, placement: Placement, variable: Variable, name: str, function: AffineFunction
) -> Iterator[MemoryMap]:
    """`name[x]` in the cell of v[z] where x = f(z), for an f that has all the indices that the cell depends on."""
    source, there = system.variable(name), placement.of(variable.name)
    if source.kind is not Kind.LOCAL or placement.has(name) or source.type != variable.type or any(there.moduli):
        return
    assert there.function is not None
    own, copied = source.domain.space.names, [str(output) for output in function.outputs]
    positions = {index: Affine.name(own[copied.index(index)]) for index in function.domain.names if index in copied}
    by_index = dict(zip(there.function.domain.names, function.domain.names, strict=True))
    cell = [output.rename(by_index) for output in there.function.outputs]
    if all(set(output.names) <= {*positions, *system.parameters} for output in cell):
        outputs = tuple(output.substitute(positions) for output in cell)
        yield MemoryMap(name, there.space, AffineFunction(source.domain.space, outputs))
