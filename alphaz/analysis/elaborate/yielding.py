"""Yielding branches: if the value of a branch needs a reduction over no points, and that of another branch does not,
the other one is selected.

    weak(b)    = value(b) - points(b), with points(e) as value(e) where no reduction is its identity
    yielded(b) = need(case) & weak(b) & points(another branch)
The yielded points are removed from the restrict of the branch when the program is read, so that all later steps see
disjoint branches. A point that is in no points(b) stays with the branch whose restrict has it, as the identity (AZ309).
Source: the original language, where the domain of an expression with a reduction consists of the points at which the
reduction has points."""

from collections.abc import Mapping
from dataclasses import replace

from alphaz.analysis.facts.domains import STRICT, DomainInference
from alphaz.model.expression import Case, Expression, Reduce, Restrict
from alphaz.model.program import Variable
from alphaz.model.walk import children, rebuild, walk
from alphaz.poly import Domain, OutOfBudget
from alphaz.proof import patiently


def with_yielding_branches(root: Expression, needed: Domain, variables: Mapping[str, Variable]) -> Expression:
    """Returns the expression without the yielded points of its branches; it is needed on `needed`.

    If that exceeds the budget, the branches stay as they are, and overlap."""
    weak = _maybe_weak(root)
    cases = [node for node in walk(root) if isinstance(node, Case) and not weak.isdisjoint(node.branches)]
    if not cases:
        return root
    try:
        found = patiently(lambda: _narrowed(root, needed, variables, cases, weak))
    except OutOfBudget:
        return root
    return _substitute(root, found) if found else root


def _maybe_weak(root: Expression) -> set[Expression]:
    """The expressions that contain a restrict over a reduction, which gives the reduction a value everywhere."""
    reducing: set[Expression] = set()
    weak: set[Expression] = set()
    for node in reversed([*walk(root)]):
        inside = children(node)
        if isinstance(node, Reduce) or not reducing.isdisjoint(inside):
            reducing.add(node)
        if (isinstance(node, Restrict) and node in reducing) or not weak.isdisjoint(inside):
            weak.add(node)
    return weak


def _narrowed(
    root: Expression, needed: Domain, variables: Mapping[str, Variable], cases: list[Case], maybe_weak: set[Expression]
) -> dict[Expression, Expression]:
    """Each branch that yields points, and its replacement."""
    inference, points = DomainInference(variables), DomainInference(variables)
    inference.infer(root, needed)
    points.measure(root, needed.space, STRICT)
    found: dict[Expression, Expression] = {}
    for case in cases:
        need = inference.needs[case]
        strong = {branch: need & points.domain(branch) for branch in case.branches}
        for branch in (each for each in case.branches if each in maybe_weak):
            weak = (need & inference.domain(branch)) - strong[branch]
            others = [strong[other] for other in case.branches if other is not branch]
            yielded = [each for each in (weak & other for other in others) if not each.is_empty()]
            if yielded:
                found[branch] = _without(branch, need, yielded)
    return found


def _without(branch: Expression, need: Domain, yielded: list[Domain]) -> Restrict:
    """The branch on the rest of its restrict."""
    rest = need & branch.domain if isinstance(branch, Restrict) else need
    for each in yielded:
        rest -= each
    domain = rest.simplify().gist(need).simplify()
    if isinstance(branch, Restrict):
        return replace(branch, domain=domain)
    return Restrict(domain, branch, span=branch.span)


def _substitute(node: Expression, by: Mapping[Expression, Expression]) -> Expression:
    here = by.get(node, node)
    if here is not node and not isinstance(node, Restrict):
        assert isinstance(here, Restrict)
        return replace(here, body=rebuild(node, tuple(_substitute(child, by) for child in children(node))))
    return rebuild(here, tuple(_substitute(child, by) for child in children(here)))
