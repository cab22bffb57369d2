"""Simplify: restricts no longer than their context needs, and no reductions over one point.

D: e, needed on C                                 gist(D, C): e, or e where C is inside D
reduce(op, p, e), p with inverse g on its body    g@e
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.depth import deep
from alphaz.analysis.facts.domains import WHOLE, DomainQuery
from alphaz.analysis.texts.show import expression_text
from alphaz.mapping.design import Design
from alphaz.model.expression import Case, Compose, Expression, Facts, Reduce, Restrict
from alphaz.model.program import Program, System, defined_by
from alphaz.model.walk import children, rebuild
from alphaz.poly import Domain
from alphaz.poly.algorithms.functional_relations import left_inverse
from alphaz.transform.engine.checked_rewrite import shortest_form, with_program
from alphaz.transform.engine.edit import roots, with_roots, with_system
from alphaz.transform.engine.preconditions import has_reduction, joined_type
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import find_system


def simplify(design: Design, system: str | None = None) -> Design:
    """Remove constraints and operations that the context makes redundant.

    *Rewrites*: restricts to the constraints that their context does not imply; branches with equal values into one;
    empty branches and cases of one branch are removed; a reduction with one point for each answer into that point.

    *Checks*: none; values, types and domains stay as they are. Mappings stay, except for the body of a removed
    reduction."""
    with deep():
        return with_program(design, simplified(design.checked, system))


def in_short(design: Design, system: str, variables: Collection[str]) -> Design:
    """Returns the design with the equations of these variables simplified; reductions stay, since they may have
    dates."""
    return with_program(design, simplified(design.checked, system, variables, collapse=False))


def simplified(
    checked: Checked, system: str | None = None, only: Collection[str] | None = None, collapse: bool = True
) -> Program:
    """Returns the program, one system of it, or the equations of some variables there, simplified.

    `collapse`: a reduction with one point for each answer becomes that point."""
    program = checked.program
    chosen = program.systems if system is None else (find_system(program, system),)
    for one in chosen:
        program = with_system(program, one.name, _simplified(one, _Simplifier(checked.facts, collapse), only))
    return program


def _simplified(system: System, work: "_Simplifier", only: Collection[str] | None) -> System:
    def change(root: Expression) -> Expression:
        return work.shorten(root, work.facts.context_domain[root], WHOLE)

    chosen_equations = [e for e in system.equations if only is None or set(only) & set(defined_by(e))]
    equations = tuple(with_roots(e, map(change, roots(e))) if e in chosen_equations else e for e in system.equations)
    return replace(system, equations=equations)


@dataclass(frozen=True, slots=True, eq=False)
class _Simplifier:
    facts: Facts
    collapse: bool

    def shorten(self, node: Expression, need: Domain, query: DomainQuery) -> Expression:
        """Returns the node, whose value is needed on `need` only; its domain there is unchanged."""
        match node:
            case Restrict():
                body = self.shorten(node.body, need & node.domain, query.restricted)
                return _simplify_restrict(node, body, need, query)
            case Case():
                return self._case(node, need, query)
            case Compose(function, names, inside):
                body = self.shorten(inside, need.image(function, names), query)
                plain = function.is_identity and names == function.domain.names
                return body if plain else rebuild(node, (body,))
            case Reduce():
                return self._reduction(node, need, query)
        return rebuild(node, tuple(self.shorten(child, need, query) for child in children(node)))

    def _case(self, node: Case, need: Domain, query: DomainQuery) -> Expression:
        defined = self.facts.expression_domain
        nonempty = [b for b in node.branches if not (defined[b] & need).is_empty()] or list(node.branches[:1])
        if joined_type(self.facts.types[b] for b in nonempty) != self.facts.types[node]:
            nonempty = list(node.branches)
        nonempty = _distinct(nonempty, need)
        if len(nonempty) == 1:
            return self.shorten(self._lone_branch(nonempty[0], need), need, query)
        branches = tuple(self.shorten(b, need, query.branch) for b in nonempty)
        return rebuild(node, branches) if len(branches) == len(node.branches) else replace(node, branches=branches)

    def _lone_branch(self, branch: Expression, need: Domain) -> Expression:
        """A branch that replaces its case: there a reduction over no points would have a value."""
        if isinstance(branch, Restrict) or not has_reduction(branch):
            return branch
        domain = self.facts.expression_domain[branch]
        return branch if need.is_subset(domain) else Restrict(shortest_form(domain, need), branch, span=branch.span)

    def _reduction(self, node: Reduce, need: Domain, query: DomainQuery) -> Expression:
        inside = need.preimage(node.projection)
        body = self.shorten(node.body, inside, WHOLE)
        short = rebuild(node, (body,))
        points = self.facts.expression_domain[node.body]
        if not self.collapse or self.facts.types[node] != self.facts.types[node.body] or has_reduction(node.body):
            return short
        inverse = left_inverse(node.projection, points & inside, need.space.names)
        if inverse is None or not inverse.then(node.projection).is_identity:
            return short
        if query.promised and not need.is_subset(points.preimage(inverse)):
            return short
        one = push_function(body, inverse, node.projection.domain.names)
        return _simplify_restrict(one, one.body, need, query) if isinstance(one, Restrict) else one


def _distinct(branches: Sequence[Expression], need: Domain) -> list[Expression]:
    """The branches with restricts of one expression merged, to the union."""
    expressions: dict[str | Expression, Expression] = {}
    for branch in branches:
        key = expression_text(branch.body, need.space.names) if isinstance(branch, Restrict) else branch
        other = expressions.get(key)
        if isinstance(other, Restrict) and isinstance(branch, Restrict):
            branch = replace(other, domain=((other.domain | branch.domain) & need).simplify())
        expressions[key] = branch
    return list(expressions.values())


def _simplify_restrict(node: Restrict, body: Expression, need: Domain, query: DomainQuery) -> Expression:
    """The simplified restrict. It gives reductions over no points their value, and stays if no other restrict does."""
    if not need.is_subset(node.domain):
        return replace(node, domain=shortest_form(node.domain, need), body=body)
    return rebuild(node, (body,)) if has_reduction(body) and not query.promised else body
