"""RenameVariable and RenameSystem: other names, the same program."""

from dataclasses import replace

from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access
from alphaz.model.program import Equation, System, UseEquation
from alphaz.transform.engine.checked_rewrite import with_program
from alphaz.transform.engine.edit import map_accesses, with_system, with_variable
from alphaz.transform.engine.mapping_changes import rename_in_mapping, with_mapping
from alphaz.transform.engine.refusals import find_system, find_variable, refusal, require_new


def rename_variable(design: Design, system: str, old: str, new: str, span: Span = NOWHERE) -> Design:
    """Rename a variable.

    *Rewrites*: its declaration, its equation and every read of it, in one system. Its mapping is kept, and its memory
    space of the same name is renamed.

    *Checks*: the variable exists, and the new name is free in the system."""
    home = find_system(design.program, system, span)
    variable = find_variable(home, old, span)
    if old == new:
        return design
    require_new(design.program, home, new, span)
    changed = with_variable(home, variable, replace(variable, name=new))
    changed = _with_new_name(changed, old, new)
    changed = map_accesses(changed, old, lambda read: Access(new, read.function, span=read.span))
    mapping = rename_in_mapping(design.mapping(system), {old: new, f"UseEquation_{old}": f"UseEquation_{new}"})
    mappings = with_mapping(design.mappings, system, mapping) if system in design.mappings else design.mappings
    return with_program(design, with_system(design.program, system, changed), mappings)


def _with_new_name(system: System, old: str, new: str) -> System:
    equations: list[Equation | UseEquation] = []
    for equation in system.equations:
        if isinstance(equation, Equation):
            equations.append(replace(equation, variable=new) if equation.variable == old else equation)
        elif old not in equation.outputs:
            equations.append(equation)
        else:
            outputs = tuple(new if name == old else name for name in equation.outputs)
            equations.append(replace(equation, outputs=outputs))
    return replace(system, equations=tuple(equations))


def rename_system(design: Design, system: str, new: str, span: Span = NOWHERE) -> Design:
    """Rename a system.

    *Rewrites*: its heading and every use equation that calls it. Its mapping is kept.

    *Checks*: the system exists, and no other has the new name."""
    program = design.program
    home = find_system(program, system, span)
    if system == new:
        return design
    if any(other.name == new for other in program.systems):
        raise refusal(f"there is already a system `{new}`", span, help="choose another name")
    program = with_system(program, system, replace(home, name=new))
    program = replace(program, systems=tuple(_rename_in_system(s, system, new) for s in program.systems))
    mappings = {new if name == system else name: mapping for name, mapping in design.mappings.items()}
    return with_program(design, program, mappings)


def _rename_in_system(system: System, old: str, new: str) -> System:
    equations = tuple(
        replace(e, system=new) if isinstance(e, UseEquation) and e.system == old else e for e in system.equations
    )
    return replace(system, equations=equations)
