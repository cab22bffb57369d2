"""SplitReductionBody, TransformReductionBody and PermutationCaseReduce: the points of a reduction.

reduce(op, p, e)               =  reduce(op, p, D: e) op reduce(op, p, not D: e)
reduce(op, p, e)               =  reduce(op, p o t', t' @ e)              t injective on the points, t' o t = id
reduce(op, p, case e; e' esac) =  reduce(op, p, e) op reduce(op, p, e')"""

from dataclasses import replace

from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Span, rules
from alphaz.mapping.design import Design
from alphaz.model.expression import Case, Reduce, Restrict
from alphaz.model.program import defined_by
from alphaz.model.walk import behind_restricts, copy, without_restricts
from alphaz.poly import Affine, AffineFunction, Domain, equal, fresh_names
from alphaz.poly.algorithms.functional_relations import left_inverse
from alphaz.transform.engine.checked_rewrite import without_context
from alphaz.transform.engine.preconditions import has_reduction, injectivity_obligation
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import find_equation, find_system, refusal, require
from alphaz.transform.normal.simplify import in_short
from alphaz.transform.reductions.site import (  # fmt: skip
    ReductionSite,
    combine_parts,
    find_reduction,
    reductions_in,
    require_indices,
    require_own_type,
    without_restrict,
)


def split_reduction_body(design: Design, node: str, domain: Domain, span: Span = NOWHERE) -> Design:
    """Cut a reduction in two: one over the points inside a domain, one over the others.

    *Rewrites*: the reduction at `node` into the combination of both by its operator.

    *Checks*: the domain is over the indices of the body, and both parts have points; the parts accumulate in the type
    of the whole reduction."""
    whole = find_reduction(design, node, span)
    require_indices(whole, domain.space.dimensions, "the domain")
    require_own_type(whole)
    inside = domain.renamed(whole.names)
    for points, where in ((whole.points & inside, "inside"), (whole.points - inside, "outside")):
        if points.is_empty():
            raise refusal(
                f"no point of the body is {where} {domain}: there is nothing to split",
                span,
                secondary=(Label(whole.node.span, "the reduction"),),
                help="write a domain that contains some points of the body, and not all",
            )
    with deep():
        base, body = without_restrict(whole)
        parts = [(part, whole.points & part) for part in (base & inside, base - inside)]
        new = [(whole.over(without_context(part, whole.system), copy(body)), points) for part, points in parts]
        return in_short(whole.with_expression(combine_parts(whole, new)), whole.system.name, (whole.owner,))


def transform_reduction_body(design: Design, node: str, function: AffineFunction, span: Span = NOWHERE) -> Design:
    """Change the basis of the body of a reduction.

    *Rewrites*: the body and the projection, to the new indices.

    *Checks*: the function takes the indices of the body, is injective on its points, and has an integer affine inverse
    there."""
    whole = find_reduction(design, node, span)
    require_indices(whole, function.domain.dimensions, str(function))
    require(
        injectivity_obligation(f"body of {whole.owner}", whole.points, function, span, whole.node.span),
        "each point of the body needs a place of its own: add an output that tells the two apart",
    )
    names = _new_names(whole, function)
    inverse = left_inverse(function, whole.points, names)
    if inverse is None:
        raise refusal(
            f"the inverse of {function} on the body is not an integer affine function",
            span,
            secondary=(Label(whole.node.span, "the reduction"),),
            help="a change of basis of a body may skew, shift, permute and embed, but not scale",
        )
    with deep():
        base, body = without_restrict(whole)
        back = inverse.then(function)
        stays = [equal(Affine.name(n), value) for n, value in zip(names, back.outputs, strict=True)]
        domain = without_context(base.preimage(inverse) & Domain.where(inverse.domain, stays), whole.system)
        inner = Restrict(domain, push_function(body, inverse, whole.names), span=body.span)
        new = Reduce(whole.node.operator, inverse.then(whole.node.projection), inner, span=whole.node.span)
        return whole.with_expression(new)


def _new_names(whole: ReductionSite, function: AffineFunction) -> tuple[str, ...]:
    """The old names if the number of indices is unchanged, else new ones."""
    count = len(function.outputs)
    if count == len(whole.names):
        return whole.names
    return fresh_names(count, "x", (*whole.names, *function.domain.parameters))


def permutation_case_reduce(
    design: Design, system: str | None = None, variable: str | None = None, span: Span = NOWHERE
) -> Design:
    """Turn each reduction of a case into a combination of one reduction for each branch.

    *Rewrites*: every such reduction (of the program, of a system, of the equation of one variable).

    *Checks*: the branches of each have one type, which is also the type of the accumulation. A warning reports that
    there is no such reduction."""
    if system is not None:
        home = find_system(design.program, system, span)
        if variable is not None:
            find_equation(home, variable, span)

    def is_candidate(site: ReductionSite) -> bool:
        here = system is None or site.system.name == system
        return here and (variable is None or variable in defined_by(site.site.equation)) and _case(site) is not None

    count = 0
    while True:
        todo = [site_ for site_ in reductions_in(design, lambda s, n: True, span) if is_candidate(site_)]
        if not todo:
            break
        with deep():
            design = _permute(todo[0])
        count += 1
    if not count:
        message = "there is no reduction of a case here: nothing is changed"
        hint = "Normalize brings the cases of a body to its top"
        return replace(design, dropped=(*design.dropped, Diagnostic(rules.IGNORED, message, Label(span), help=hint)))
    return design


def _case(site: ReductionSite) -> Case | None:
    body = without_restricts(site.node.body)
    return body if isinstance(body, Case) else None


def _permute(whole: ReductionSite) -> Design:
    require_own_type(whole)
    case = _case(whole)
    assert case is not None
    types = {whole.facts.types[branch] for branch in case.branches}
    if len(types) > 1:
        raise refusal(
            "the branches have different types: their sums would be computed in different types",
            whole.span,
            secondary=tuple(Label(b.span, str(whole.facts.types[b])) for b in case.branches),
            help="give the branches one type, each with a local of its own (AddLocal)",
        )
    outer, _ = behind_restricts(whole.node.body)
    parts: list[tuple[Reduce, Domain]] = []
    for branch in case.branches:
        points = whole.points & whole.facts.expression_domain[branch]
        own, inner = behind_restricts(branch)
        if has_reduction(inner):
            own = points
        domain = outer if own is None else own if outer is None else outer & own
        if domain is None:
            part = Reduce(whole.node.operator, whole.node.projection, inner, span=whole.node.span)
        else:
            part = whole.over(without_context(domain, whole.system), inner)
        if not points.is_empty():
            parts.append((part, points))
    if not parts:
        raise refusal(
            "no branch has a point",
            whole.span,
            secondary=(Label(case.span, "the case"),),
            help="Simplify leaves such a reduction out",
        )
    return whole.with_expression(combine_parts(whole, parts))
