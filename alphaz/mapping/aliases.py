"""Aliases: v[z] = u[f(z)] where cell(v, z) = cell(u, f(z)) for every z. The copy does nothing and is dropped.

Whoever reads v[z] then reads u[f(z)]. Source: verifier.md section 1.
"""

from collections.abc import Iterable, Mapping

from alphaz.diagnostics import Diagnostic, Label, Witness
from alphaz.diagnostics.rules import ALIAS
from alphaz.mapping.cells import location, one_cell
from alphaz.mapping.statement import Cell
from alphaz.model.expression import Access, Case, Compose, Expression, Restrict
from alphaz.model.program import Equation, System
from alphaz.poly import Affine, AffineFunction, Domain, Space
from alphaz.proof import Obligation, Proved, Values, discharge

Copy = tuple[str, AffineFunction]


def aliases_of(system: System, cells: Mapping[str, Cell]) -> dict[str, Copy]:
    """The variables whose equation copies a value onto the cell that holds it, each with what it copies.

    A copy that could not be shown to be one within the budget is none. Among copies in a circle one stays.
    """
    found: dict[str, Copy] = {}
    for equation in system.equations:
        if not isinstance(equation, Equation):
            continue
        copied = plain_access(equation.expression, AffineFunction.identity(system.space(equation.indices)))
        if copied is None or _leads_to(found, copied[0], equation.variable):
            continue
        if _is_idle(system, equation, copied, cells):
            found[equation.variable] = copied
    return found


def copies(system: System, aliases: Iterable[str]) -> dict[str, Copy]:
    """What each of these aliases copies."""
    found: dict[str, Copy] = {}
    for name in aliases:
        equation = system.equation(name)
        assert isinstance(equation, Equation)
        copied = plain_access(equation.expression, AffineFunction.identity(system.space(equation.indices)))
        assert copied is not None, name
        found[name] = copied
    return found


def followed(aliases: Mapping[str, Copy], variable: str, function: AffineFunction) -> Copy:
    """What `variable[function]` reads when copies are read through."""
    while variable in aliases:
        variable, inner = aliases[variable]
        function = function.then(inner)
    return variable, function


def alias_notes(system: System, aliases: Mapping[str, Copy]) -> tuple[Diagnostic, ...]:
    """One note for each dropped copy."""
    notes = []
    for name, (source, _) in aliases.items():
        message = f"{name} copies {source} onto the cell that holds it: nothing is executed for it"
        notes.append(Diagnostic(ALIAS, message, Label(system.equation(name).span)))
    return tuple(notes)


def plain_access(expression: Expression, so_far: AffineFunction) -> Copy | None:
    """What the whole expression copies, over the indices of the equation; None when it computes."""
    match expression:
        case Access():
            return expression.variable, so_far.then(expression.function)
        case Restrict():
            return plain_access(expression.body, so_far)
        case Case(branches=(only,)):
            return plain_access(only, so_far)
        case Compose():
            return plain_access(expression.body, so_far.then(expression.function))
    return None


def _leads_to(found: Mapping[str, Copy], variable: str, goal: str) -> bool:
    while variable != goal and variable in found:
        variable = found[variable][0]
    return variable == goal


def _is_idle(system: System, equation: Equation, copied: Copy, cells: Mapping[str, Cell]) -> bool:
    here, there = cells[equation.variable], cells[copied[0]]
    same_type = system.variable(equation.variable).type == system.variable(copied[0]).type
    if here.space != there.space or not same_type:
        return False
    return isinstance(discharge(_obligation(system, equation, copied, here, there)), Proved)


def _obligation(system: System, equation: Equation, copied: Copy, here: Cell, there: Cell) -> Obligation:
    """The points whose copy would move to another cell."""
    space = system.space(equation.indices)
    function = copied[1]

    def violations() -> Domain:
        points = system.variable(equation.variable).domain.renamed(equation.indices).in_context(system.context)
        return points - _same(space, here, there, function)

    def recheck(values: Values) -> bool:
        point = [values[n] for n in equation.indices]
        return location(here, values, point) != location(there, values, function.at(values))

    def explain(values: Values) -> Witness:
        return Witness(tuple((p, values[p]) for p in system.parameters), (), f"{equation.variable} is copied elsewhere")

    claim = f"every {equation.variable}[z] has the cell of the {copied[0]} that it copies"
    return Obligation(ALIAS, claim, violations, (("point", equation.indices),), explain, recheck, equation.span)


def _same(space: Space, here: Cell, there: Cell, function: AffineFunction) -> Domain:
    point = tuple(Affine.name(n) for n in space.names)
    constraints, auxiliary = one_cell(here, point, there, function.outputs, space.parameters + space.names)
    return Domain.where(space.with_names(space.names + auxiliary), constraints).onto(space.names)
