"""The footprint of a system on its inputs, including the systems that it calls: { f(e) : it reads input[f(e)] at e }.

A system that calls itself, also through others, is taken to read all of its inputs; so is a system whose mapping lets
an input share its memory space, since the whole input is copied there.
"""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.analysis.facts.dependences import dependences_of
from alphaz.mapping.design import Design
from alphaz.model.program import Equation, Program, System, UseEquation, Variable
from alphaz.poly import Affine, Domain, Space, instantiate


def footprint(design: Design, system: System, variable: Variable) -> Domain:
    """Returns the points of an input that the system reads, over the system's own parameters."""
    whole = variable.domain.in_context(system.context)
    if is_recursive(design.program, system) or _is_copied(design, system, variable):
        return whole
    points_ = Domain.empty(whole.space)
    for equation in system.equations:
        for points in _read(design, system, equation, variable):
            points_ = points_ | points
    return (points_ & whole).simplify()


def called_systems(program: Program, system: System) -> tuple[System, ...]:
    """Returns the systems that a system calls, through others too, in the order of the program."""
    reached: set[str] = set()
    waiting = [system]
    while waiting:
        for name in _callees(waiting.pop()):
            if name not in reached:
                reached.add(name)
                waiting.append(program.system(name))
    return tuple(s for s in program.systems if s.name in reached)


def uncalled_systems(program: Program, systems: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the systems that no other one of them calls; all of them where that leaves none."""
    others = {callee.name for n in systems for callee in called_systems(program, program.system(n)) if callee.name != n}
    return tuple(name for name in systems if name not in others) or systems


def is_recursive(program: Program, system: System) -> bool:
    """Returns True if the system calls itself, possibly through others."""
    return any(other.name == system.name for other in called_systems(program, system))


def passed_domain(equation: UseEquation, domain: Domain, space: Space) -> Domain:
    """Returns `{ (e,x) | x in domain, for the parameters that the call at e passes }`; `space` has the names of e
    first.
    """
    own = space.names[equation.extension.space.dimensions :]
    inside = instantiate(domain, space, equation.parameters, tuple(map(Affine.name, own)))
    return inside & equation.extension.embedded(space)


def _callees(system: System) -> Iterator[str]:
    return (e.system for e in system.equations if isinstance(e, UseEquation))


def _is_copied(design: Design, system: System, variable: Variable) -> bool:
    mapping = design.mapping(system.name)

    def space_of(name: str) -> str:
        entry = mapping.memory_of(name)
        return name if entry is None else entry.space

    space = space_of(variable.name)
    return any(space_of(other.name) == space for other in system.variables if other is not variable)


def _read(design: Design, system: System, equation: Equation | UseEquation, variable: Variable) -> Iterator[Domain]:
    facts, names = design.checked.facts, variable.domain.space.names
    if isinstance(equation, Equation):
        for dependence in dependences_of(equation, facts):
            if dependence.producer == variable.name:
                yield dependence.domain.image(dependence.function, names)
        return
    callee = design.program.system(equation.system)
    for number, callee_input in enumerate(callee.inputs):
        needed = facts.context_domain[equation.inputs[number]]
        used = passed_domain(equation, footprint(design, callee, callee_input), needed.space)
        for access in dependences_of(only_input(equation, number), facts):
            if access.producer == variable.name:
                read = access.domain & used.renamed(needed.space.names).embedded(access.domain.space)
                yield read.image(access.function, names)


def only_input(equation: UseEquation, number: int) -> UseEquation:
    """Returns the use equation with one of its inputs."""
    return replace(equation, inputs=(equation.inputs[number],))
