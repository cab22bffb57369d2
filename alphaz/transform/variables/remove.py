"""PropagateSimpleEquations and RemoveUnusedVariables: removes copies, and variables that no output needs."""

from dataclasses import replace

from alphaz.diagnostics import Rejected, rules
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Constant, Expression, IndexValue
from alphaz.model.program import Equation, Kind, Program, System, defined_by
from alphaz.model.walk import reads
from alphaz.transform.engine.checked_rewrite import with_program
from alphaz.transform.engine.edit import all_roots, roots, with_system
from alphaz.transform.engine.refusals import find_system
from alphaz.transform.variables.inline import inline_all


def propagate_simple_equations(design: Design) -> Design:
    """Inline locals whose definition is a read, a constant or an index value.

    *Rewrites*: every read of such a local into its definition; then its declaration and equation are removed, and its
    mapping with a warning.

    *Checks*: as Inline, for each; a local that fails them (its values are converted) stays."""
    for name in [system.name for system in design.program.systems]:
        for variable in [local.name for local in design.system(name).locals]:
            design = _without(design, name, variable)
    return design


def _without(design: Design, system: str, variable: str) -> Design:
    home = design.system(system)
    equation = next((e for e in home.equations if isinstance(e, Equation) and e.variable == variable), None)
    read = frozenset().union(*(reads(root) for root in all_roots(home)))
    is_read = home.loop is not None and variable in reads(home.loop.condition)
    if equation is None or is_read or variable not in read or not _is_simple(equation.expression):
        return design
    try:
        inlined = inline_all(design, system, variable)
    except Rejected as rejected:
        if any(diagnostic.rule != rules.PRECONDITION for diagnostic in rejected.diagnostics):
            raise
        return design
    return with_program(
        inlined, with_system(inlined.program, system, _without_variable(inlined.system(system), variable))
    )


def _is_simple(node: Expression) -> bool:
    return isinstance(node, Access | Constant | IndexValue)


def _without_variable(system: System, variable: str) -> System:
    return replace(
        system,
        variables=tuple(v for v in system.variables if v.name != variable),
        equations=tuple(e for e in system.equations if not (isinstance(e, Equation) and e.variable == variable)),
    )


def remove_unused_variables(design: Design, system: str | None = None) -> Design:
    """Remove the locals on which no output depends.

    *Rewrites*: their declarations and equations are removed; a use equation is removed if none of its outputs is
    needed. Inputs and outputs stay: they are the interface.

    *Checks*: the system exists. Mapping entries of removed variables are dropped with a warning."""
    program: Program = design.program
    chosen = program.systems if system is None else (find_system(program, system),)
    for one in chosen:
        program = with_system(program, one.name, _without_unused(one))
    return with_program(design, program)


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
