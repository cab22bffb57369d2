"""RemoveUnusedVariables: removes variables on which no output depends."""

from dataclasses import replace

from alphaz.mapping.design import Design
from alphaz.model.program import Kind, Program, System, defined_by
from alphaz.transform.engine.edit import reads, roots, with_system
from alphaz.transform.engine.refuse import find_system
from alphaz.transform.engine.rewrite import rewrite


def remove_unused_variables(design: Design, system: str | None = None) -> Design:
    """Remove the locals on which no output depends.

    *Rewrites*: their declarations and equations are removed; a use equation is removed if none of its outputs is
    needed. Inputs and outputs stay: they are the interface.

    *Checks*: the system exists. Mapping entries of removed variables are dropped with a warning."""
    program: Program = design.program
    chosen = program.systems if system is None else (find_system(program, system),)
    for one in chosen:
        program = with_system(program, one.name, _without_unused(one))
    return rewrite(design, program)


def _without_unused(system: System) -> System:
    needed = {v.name for v in system.outputs}
    if system.loop is not None:
        needed |= reads(system.loop.condition)
    while True:
        more = set(needed)
        for equation in system.equations:
            if needed & set(defined_by(equation)):
                more.update(defined_by(equation))
                more.update(*(reads(root) for root in roots(equation)))
        if more == needed:
            break
        needed = more
    return replace(
        system,
        variables=tuple(v for v in system.variables if v.kind is not Kind.LOCAL or v.name in needed),
        equations=tuple(e for e in system.equations if needed & set(defined_by(e))),
    )
