"""`auto : e`, a branch of a case: selected where no other branch has a value.

    domain(auto : e) = need(case) - union of value(b) for the other branches b
Source: the successor language; its `auto` outside of cases, and twice in one, is an error there, too."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from alphaz.analysis.facts.domains import DomainInference
from alphaz.analysis.findings import Findings
from alphaz.diagnostics.rules import UNDECIDED
from alphaz.model.expression import Case, Expression, Restrict
from alphaz.model.program import Variable
from alphaz.model.walk import children, rebuild, walk
from alphaz.poly import Domain, OutOfBudget
from alphaz.proof import patiently


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
            root = _closed(root, needed, variables, branch)
        except OutOfBudget as limit:
            message = "cannot decide where this branch is selected"
            findings.report(UNDECIDED, message, branch.span, str(limit))
    return root


def _closed(root: Expression, needed: Domain, variables: Mapping[str, Variable], branch: Expression) -> Expression:
    """The expression with the domain of one branch, which is the universe so far."""
    inference = DomainInference(variables)
    inference.infer(root, needed)
    case = next(node for node in walk(root) if isinstance(node, Case) and _is_branch(branch, node))
    need = inference.needs[case]
    others = [inference.domain(other) for other in case.branches if not _same(other, branch)]

    def left() -> Domain:
        rest = need
        for other in others:
            rest = rest - other
        return rest.simplify().gist(need).simplify()

    domain = patiently(left)
    return _with_domain(root, branch, domain)


def _is_branch(branch: Expression, case: Case) -> bool:
    return any(_same(each, branch) for each in case.branches)


def _same(node: Expression, branch: Expression) -> bool:
    """Returns True for the corresponding node: rewriting inner expressions makes new nodes at the same place."""
    return isinstance(node, Restrict) and node.span == branch.span and type(node) is type(branch)


def _with_domain(node: Expression, branch: Expression, domain: Domain) -> Expression:
    inside = rebuild(node, tuple(_with_domain(child, branch, domain) for child in children(node)))
    return replace(inside, domain=domain) if isinstance(inside, Restrict) and _same(node, branch) else inside
