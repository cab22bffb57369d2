"""Existence of an affine order of the values of mutually dependent variables.

First one order for each variable, then one for each branch of its outermost case: dependences that reverse direction at
a point have no common order."""

from collections.abc import Iterator, Mapping

from alphaz.analysis.facts.dependences import Dependence, operation
from alphaz.model.expression import Case, Facts
from alphaz.model.program import Equation, System, UseEquation
from alphaz.poly import AffineFunction, Domain, OutOfBudget
from alphaz.poly.algorithms.affine_order import Before, has_affine_order
from alphaz.proof import with_growing_budget

# isl operations for the search of a schedule; kernels need about a thousandth of it.
_BUDGET = 300_000

Parts = Mapping[str, tuple[Domain, ...]]


def has_order(system: System, facts: Facts, component_reads: list[Dependence], component: frozenset[str]) -> bool:
    """Returns True if there certainly is an order; False is not known. `inside` are the reads among the component's
    variables and calls."""
    constraints = [
        Before(
            domain=dependence.domain,
            first=(dependence.producer, 0),
            first_point=dependence.function,
            then=(dependence.consumer, 0),
            then_point=dependence.projection,
        )
        for dependence in component_reads
    ] + list(outputs_of_calls(system, component))
    parts = _branch_domains(system, facts, component)
    try:
        if with_growing_budget(lambda: has_affine_order(constraints), _BUDGET):
            return True
        return bool(parts) and with_growing_budget(lambda: has_affine_order(_split(constraints, parts)), _BUDGET)
    except OutOfBudget:
        return False


def outputs_of_calls(system: System, component: frozenset[str]) -> Iterator[Before]:
    """The call comes before its outputs."""
    for equation in system.equations:
        if not isinstance(equation, UseEquation) or operation(equation) not in component:
            continue
        for output in component & set(equation.outputs):
            domain = system.variable(output).domain
            point = AffineFunction.identity(domain.space)
            call = AffineFunction(domain.space, point.outputs[: equation.extension.space.dimensions])
            yield Before(
                domain=domain, first=(operation(equation), 0), first_point=call, then=(output, 0), then_point=point
            )


def _branch_domains(system: System, facts: Facts, component: frozenset[str]) -> Parts:
    """The domains of the branches of the variables whose right-hand sides are cases."""
    return {
        equation.variable: tuple(facts.context_domain[branch] for branch in equation.expression.branches)
        for equation in system.equations
        if isinstance(equation, Equation) and equation.variable in component and isinstance(equation.expression, Case)
    }


def _split(constraints: list[Before], parts: Parts) -> list[Before]:
    """The same constraints between the branches; those between disjoint branches are left out."""
    groups = []
    for constraint in constraints:
        for first, first_domain in _by_branch(constraint.domain, constraint.first, constraint.first_point, parts):
            for then, domain in _by_branch(first_domain, constraint.then, constraint.then_point, parts):
                groups.append(
                    Before(
                        domain=domain,
                        first=first,
                        first_point=constraint.first_point,
                        then=then,
                        then_point=constraint.then_point,
                    )
                )
    return groups


def _by_branch(
    domain: Domain, name: tuple[str, int], point: AffineFunction, parts: Parts
) -> Iterator[tuple[tuple[str, int], Domain]]:
    """The non-empty parts of the domain whose point lies in each branch."""
    variable = name[0]
    for branch_number, branch in enumerate(parts.get(variable, ())):
        branch_domain = domain & branch.preimage(point)
        if not branch_domain.is_empty():
            yield (variable, branch_number), branch_domain
    if variable not in parts:
        yield name, domain
