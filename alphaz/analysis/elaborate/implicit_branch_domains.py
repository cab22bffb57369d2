"""Domains of branches of cases that the text leaves implicit: `auto` branches, and branches that leave points to
others.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from alphaz.analysis.elaboration_findings import Findings
from alphaz.analysis.facts.domains import STRICT, DomainInference
from alphaz.diagnostics.rules import UNDECIDED
from alphaz.model.expression import Case, Expression, Reduce, Restrict
from alphaz.model.program import Variable
from alphaz.model.walk import children, rebuild, walk
from alphaz.poly import Domain, OutOfBudget
from alphaz.proof import with_growing_budget


def with_automatic_restricts(
    root: Expression,
    needed: Domain,
    variables: Mapping[str, Variable],
    automatic: Collection[Expression],
    findings: Findings,
) -> Expression:
    """Returns the expression with the domains of its `automatic` branches; it is needed on `needed`."""
    if not automatic:
        return root
    # The innermost first: the domain of a branch may depend on one inside it.
    open_ = [node for node in walk(root) if node in automatic]
    for branch in reversed(open_):
        try:
            root = _close_branch(root, needed, variables, branch)
        except OutOfBudget as limit:
            message = "cannot decide where this branch is selected"
            findings.report(UNDECIDED, message, branch.span, str(limit))
    return root


def _close_branch(
    root: Expression, needed: Domain, variables: Mapping[str, Variable], branch: Expression
) -> Expression:
    """The expression with the domain of one branch, which is the universe so far."""
    inference = DomainInference(variables)
    inference.infer(root, needed)
    case = next(node for node in walk(root) if isinstance(node, Case) and _is_branch(branch, node))
    need = inference.needs[case]
    others = [inference.domain(other) for other in case.branches if not _same(other, branch)]

    def remaining_domain() -> Domain:
        rest = need
        for other in others:
            rest = rest - other
        return rest.simplify().gist(need).simplify()

    domain = with_growing_budget(remaining_domain)
    return _with_domain(root, branch, domain)


def _is_branch(branch: Expression, case: Case) -> bool:
    return any(_same(child_branch, branch) for child_branch in case.branches)


def _same(node: Expression, branch: Expression) -> bool:
    """Returns True for the corresponding node: rewriting inner expressions makes new nodes at the same place."""
    return isinstance(node, Restrict) and node.span == branch.span and type(node) is type(branch)


def _with_domain(node: Expression, branch: Expression, domain: Domain) -> Expression:
    inside = rebuild(node, tuple(_with_domain(child, branch, domain) for child in children(node)))
    return replace(inside, domain=domain) if isinstance(inside, Restrict) and _same(node, branch) else inside


def with_yielding_branches(root: Expression, needed: Domain, variables: Mapping[str, Variable]) -> Expression:
    """Returns the expression without the yielded points of its branches; it is needed on `needed`.

    If that exceeds the budget, the branches stay as they are, and overlap."""
    weak = _maybe_weak(root)
    cases = [node for node in walk(root) if isinstance(node, Case) and not weak.isdisjoint(node.branches)]
    if not cases:
        return root
    try:
        replacements = with_growing_budget(lambda: _branch_replacements(root, needed, variables, cases, weak))
    except OutOfBudget:
        return root
    return _substitute(root, replacements) if replacements else root


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


def _branch_replacements(
    root: Expression, needed: Domain, variables: Mapping[str, Variable], cases: list[Case], maybe_weak: set[Expression]
) -> dict[Expression, Expression]:
    """Each branch that yields points, and its replacement."""
    inference = DomainInference(variables)
    inference.infer(root, needed)
    points = DomainInference(variables, bodies=inference.bodies)
    replacements: dict[Expression, Expression] = {}
    for case in cases:
        need = inference.needs[case]
        for branch in case.branches:
            points.measure(branch, inference.spaces[branch], STRICT)
        strong = {branch: need & points.domain(branch) for branch in case.branches}
        for branch in (inner_branch for inner_branch in case.branches if inner_branch in maybe_weak):
            weak = (need & inference.domain(branch)) - strong[branch]
            others = [strong[other] for other in case.branches if other is not branch]
            yielded = [
                inner_branch for inner_branch in (weak & other for other in others) if not inner_branch.is_empty()
            ]
            if yielded:
                replacements[branch] = _without(branch, need, yielded)
    return replacements


def _without(branch: Expression, need: Domain, yielded: list[Domain]) -> Restrict:
    """The branch on the rest of its restrict."""
    rest = need & branch.domain if isinstance(branch, Restrict) else need
    for yielded_domain in yielded:
        rest -= yielded_domain
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
