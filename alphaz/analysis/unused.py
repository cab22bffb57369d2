"""Warnings about what does nothing: unused variables (AZ207), empty domains (AZ308)."""

from alphaz.analysis.domains import Inference
from alphaz.analysis.findings import Findings
from alphaz.diagnostics.rules import EMPTY_DOMAIN, UNUSED
from alphaz.model.expression import Access, Expression, Restrict
from alphaz.model.program import Equation, Kind, System
from alphaz.model.walk import children, walk
from alphaz.poly import Domain, OutOfBudget, budget
from alphaz.proof import BUDGET


def roots(system: System) -> tuple[Expression, ...]:
    """Every expression of a system that stands in no other."""
    found: list[Expression] = []
    for equation in system.equations:
        found += [equation.expression] if isinstance(equation, Equation) else equation.inputs
    return (*found, system.loop.condition) if system.loop is not None else tuple(found)


def unused_variables(system: System, findings: Findings) -> None:
    """Inputs and locals that nothing but their own equation reads."""
    used: set[str] = set()
    for equation in system.equations:
        own = equation.variable if isinstance(equation, Equation) else None
        inside = (equation.expression,) if isinstance(equation, Equation) else equation.inputs
        used |= {n.variable for root in inside for n in walk(root) if isinstance(n, Access) and n.variable != own}
    if system.loop is not None:
        used |= {n.variable for n in walk(system.loop.condition) if isinstance(n, Access)}
    for variable in system.variables:
        if variable.kind is not Kind.OUTPUT and variable.name not in used:
            message = f"the {variable.kind} `{variable.name}` is never used"
            findings.report(UNUSED, message, variable.span, "declared here", help_="remove it, or use it")


def empty_domains(system: System, inference: Inference, findings: Findings) -> None:
    """Variables without points, and restricts that nothing can satisfy, for any parameters.

    This only warns: where it cannot be decided nothing is said.
    """
    if _is_empty(system.context):
        message = f"no values of the parameters are legal for `{system.name}`"
        findings.report(EMPTY_DOMAIN, message, system.span, "its context is empty")
        return
    for variable in system.variables:
        if _is_empty(variable.domain):
            message = f"`{variable.name}` has no points, whatever the parameters"
            findings.report(EMPTY_DOMAIN, message, variable.span, "its domain is empty")
    for root in roots(system):
        _empty_restricts(root, inference, findings)


def _empty_restricts(root: Expression, inference: Inference, findings: Findings) -> None:
    """The outermost ones: what stands inside needs no finding of its own."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Restrict) and node.body in inference.needs and _is_empty(inference.needs[node.body]):
            message = "this is never evaluated: no point satisfies its domain"
            findings.report(EMPTY_DOMAIN, message, node.span, "an empty domain", help_="remove it, or mend its domain")
            continue
        waiting.extend(children(node))


def _is_empty(domain: Domain) -> bool:
    try:
        with budget(BUDGET):
            return domain.is_empty()
    except OutOfBudget:
        return False
