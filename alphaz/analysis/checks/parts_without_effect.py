"""Warnings about parts without effect: unused variables (AZ207), empty domains (AZ308)."""

from alphaz.analysis.elaboration_findings import Findings
from alphaz.analysis.facts.domains import DomainInference
from alphaz.diagnostics.rules import EMPTY_DOMAIN, UNUSED
from alphaz.diagnostics.work_limits import working_at
from alphaz.model.expression import Access, Expression, Restrict
from alphaz.model.program import Equation, Kind, System
from alphaz.model.walk import children, walk
from alphaz.poly import Domain, OutOfBudget, budget
from alphaz.proof import BUDGET


def unused_variables(system: System, findings: Findings) -> None:
    """Reports inputs and locals that only their own equation reads."""
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


def empty_variables(system: System, findings: Findings) -> None:
    """Reports a context without values, or else variables without points, for any parameters.

    These are warnings: undecided cases are not reported."""
    if is_empty(system.context):
        message = f"no values of the parameters are legal for `{system.name}`"
        findings.report(EMPTY_DOMAIN, message, system.span, "its context is empty")
        return
    for variable in system.variables:
        with working_at(variable.span, f"whether `{variable.name}` has points"):
            has_points = not is_empty(variable.domain)
        if not has_points:
            message = f"`{variable.name}` has no points, whatever the parameters"
            findings.report(EMPTY_DOMAIN, message, variable.span, "its domain is empty")


def empty_restricts(root: Expression, inference: DomainInference, findings: Findings) -> None:
    """Reports the outermost restricts that are unsatisfiable."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Restrict) and node.body in inference.needs and is_empty(inference.needs[node.body]):
            message = "this is never evaluated: no point satisfies its domain"
            findings.report(EMPTY_DOMAIN, message, node.span, "an empty domain", help_="remove it, or mend its domain")
            continue
        waiting.extend(children(node))


def is_empty(domain: Domain) -> bool:
    """Returns True if the domain is certainly empty for any parameters."""
    try:
        with budget(BUDGET):
            return domain.is_empty()
    except OutOfBudget:
        return False
