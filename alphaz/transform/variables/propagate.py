"""PropagateSimpleEquations: inlines and removes locals that are only copies."""

from dataclasses import replace

from alphaz.diagnostics import Rejected, rules
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Constant, Expression, IndexValue
from alphaz.model.program import Equation, System
from alphaz.transform.engine.edit import all_roots, reads, with_system
from alphaz.transform.engine.rewrite import rewrite
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
    kept = home.loop is not None and variable in reads(home.loop.condition)
    if equation is None or kept or variable not in read or not _is_simple(equation.expression):
        return design
    try:
        inlined = inline_all(design, system, variable)
    except Rejected as rejected:
        if any(diagnostic.rule != rules.PRECONDITION for diagnostic in rejected.diagnostics):
            raise
        return design
    return rewrite(inlined, with_system(inlined.program, system, _removed(inlined.system(system), variable)))


def _is_simple(node: Expression) -> bool:
    return isinstance(node, Access | Constant | IndexValue)


def _removed(system: System, variable: str) -> System:
    return replace(
        system,
        variables=tuple(v for v in system.variables if v.name != variable),
        equations=tuple(e for e in system.equations if not (isinstance(e, Equation) and e.variable == variable)),
    )
