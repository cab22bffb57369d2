"""Implied bounds: a reduction may take its bounds from the reductions in its body (`analysis.facts.domains`). A
transformation that changes an inner reduction keeps the points of the outer one."""

from collections.abc import Callable
from dataclasses import replace

from alphaz.analysis.facts.domains import WHOLE, DomainInference, at
from alphaz.model.expression import Expression, Reduce, Restrict
from alphaz.model.facts import Facts
from alphaz.model.program import System, Variable
from alphaz.model.walk import children, rebuild, walk
from alphaz.poly import fresh_names
from alphaz.transform.engine.rewrite import shorter, without_context


def with_same_points(old: Reduce, new: Reduce, facts: Facts, system: System, *added: Variable) -> Reduce:
    """Returns `new`, which replaces `old`, with a restrict if its body would have other points than that of `old`.

    `added` are variables of the new program that `system` does not have."""
    if not has_reduction(old.body):
        return new
    variables = {variable.name: variable for variable in (*system.variables, *added)}
    inference = DomainInference(variables)
    answers = fresh_names(len(new.projection.outputs), "answer", system.parameters)
    inference.measure(new, facts.context_domain[old].space.with_names(answers), WHOLE)
    needed = at(facts.context_domain[old], old.projection)
    points = facts.expression_domain[old.body]
    if (inference.domain(new.body).renamed(needed.space.names) & needed).equals(points & needed):
        return new
    return replace(new, body=Restrict(shorter(without_context(points, system), needed), new.body, span=new.body.span))


def exchanged_inside(
    root: Expression, change: Callable[[Expression], Expression | None], facts: Facts, system: System, *added: Variable
) -> Expression:
    """As `edit.replaced`; the reductions around the replaced nodes keep their points."""
    answer = change(root)
    if answer is not None:
        return answer
    inside = (exchanged_inside(child, change, facts, system, *added) for child in children(root))
    found = rebuild(root, tuple(inside))
    if found is root or not (isinstance(root, Reduce) and isinstance(found, Reduce)):
        return found
    return with_same_points(root, found, facts, system, *added)


def has_reduction(root: Expression) -> bool:
    return any(isinstance(node, Reduce) for node in walk(root))
