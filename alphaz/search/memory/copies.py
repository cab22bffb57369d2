"""Copies that a memory mapping makes unnecessary: `v[z] = u[f(z)]` if u lives in the cells of v.

A copy without a date must be dropped, or its default date must be legal; a copy with a date costs time and memory. The
dropped copies determine which operations exist, so they are chosen before conflicts are computed."""

from collections.abc import Iterator

from alphaz.analysis.facts.dependences import dependences_of
from alphaz.mapping.aliases import bare_accesses, plain_access
from alphaz.mapping.design import Design
from alphaz.mapping.target import MemoryMap
from alphaz.model.program import Equation, Kind, System, Variable
from alphaz.poly import Affine, AffineFunction
from alphaz.search.memory.placement import Placement


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
            yield from _source(system, placement, variable, name, function)


def optional(design: Design, system: System, placement: Placement) -> Iterator[MemoryMap]:
    """Returns the maps for every branch that copies to a placed variable; their legality is not checked here."""
    for equation in system.equations:
        if not isinstance(equation, Equation) or not placement.has(equation.variable):
            continue
        bare = tuple(bare_accesses(equation.expression))
        variable = system.variable(equation.variable)
        for each in dependences_of(equation, design.checked.facts) if bare else ():
            if any(each.reference is access for access in bare) and each.producer != equation.variable:
                function = each.function.renamed(equation.indices)
                yield from _source(system, placement, variable, each.producer, function)


def _source(
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
