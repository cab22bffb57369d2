"""ReductionComposition, ReductionDecomposition and MergeReductions: nested reductions, and combined ones.

reduce(op, f, reduce(op, g, e))           =  reduce(op, f o g, e)
reduce(op, p, e) op reduce(op, p, e')     =  reduce(op, p, case D - D': e; D /\\ D': e op e'; D' - D: e' esac)"""

from dataclasses import replace

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.node_numbers import Site, find_node
from alphaz.diagnostics import NOWHERE, Label, Span, Witness, WitnessPoint, rules
from alphaz.mapping.design import Design
from alphaz.model.expression import Binary, Case, Expression, Nary, Reduce, Restrict
from alphaz.model.program import defined_by
from alphaz.model.walk import behind_restricts, children, copy
from alphaz.poly import AffineFunction, Domain, less
from alphaz.proof import Obligation, Values
from alphaz.transform.engine.checked_rewrite import without_context
from alphaz.transform.engine.preconditions import with_same_points
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import refusal, require
from alphaz.transform.normal.simplify import in_short
from alphaz.transform.reductions.site import (
    ReductionSite,
    asked_at,
    find_reduction,
    join_terms,
    reduction_at,
    require_indices,
    require_own_type,
    with_expression,
    without_restrict,
)


def reduction_composition(design: Design, node: str, span: Span = NOWHERE) -> Design:
    """Merge a reduction whose body is another reduction into one.

    *Rewrites*: the two into one along both projections.

    *Checks*: the body is a reduction (restricted or not) by the same operator, accumulated in the same type."""
    outer = find_reduction(design, node, span)
    domain, body = behind_restricts(outer.node.body)
    if not isinstance(body, Reduce):
        raise refusal(
            "the body is no reduction",
            span,
            secondary=(Label(body.span, "the body"),),
            help="ReductionComposition takes `reduce(op, f, reduce(op, g, e))`",
        )
    labels = (Label(outer.node.span, outer.node.operator), Label(body.span, body.operator))
    if body.operator != outer.node.operator:
        raise refusal(
            "the two reductions have different operators",
            span,
            secondary=labels,
            help="only reductions by one operator are one reduction",
        )
    types = (outer.type, outer.facts.types[body])
    if types[0] != types[1]:
        raise refusal(
            f"one accumulates in {types[0]}, the other in {types[1]}", span, secondary=labels, help="give both one type"
        )
    with deep():
        inner: Expression = body.body
        if domain is not None:
            inner = _restrict_body(domain.preimage(body.projection), inner, outer)
        projection = body.projection.then(outer.node.projection)
        return outer.with_expression(Reduce(body.operator, projection, inner, span=outer.node.span))


def _restrict_body(domain: Domain, body: Expression, whole: ReductionSite) -> Restrict:
    if isinstance(body, Restrict):
        return Restrict(without_context(domain & body.domain, whole.system), body.body, span=body.span)
    return Restrict(without_context(domain, whole.system), body, span=body.span)


def reduction_decomposition(
    design: Design, node: str, first: AffineFunction, second: AffineFunction, span: Span = NOWHERE
) -> Design:
    """Split a reduction in two, one inside the other: `first` o `second` is the projection.

    *Rewrites*: the reduction into one along `first` of one along `second`, which is applied to the body.

    *Checks*: the composition of the two functions maps each point of the body to its answer; the inner reduction
    accumulates in the type of the whole."""
    whole = find_reduction(design, node, span)
    require_indices(whole, second.domain.dimensions, str(second))
    require_own_type(whole)
    inner = second.renamed(whole.names)
    answers = whole.needed_domain.space.dimensions
    if first.domain.dimensions != len(inner.outputs) or len(first.outputs) != answers:
        raise refusal(
            f"{first} does not lead from the {len(inner.outputs)} outputs of {second} to the {answers} of the answer",
            span,
            secondary=(Label(whole.node.span, "the reduction"),),
            help="the second function goes from the body to between, the first from there to the answer",
        )
    require(
        _same(whole, inner.then(first), span),
        "the outer function applied to the inner one must be the projection",
    )
    with deep():
        inside = replace(whole.node, projection=inner)
        inside = with_same_points(whole.node, inside, whole.facts, whole.system)
        return whole.with_expression(Reduce(whole.node.operator, first, inside, span=whole.node.span))


def _same(whole: ReductionSite, function: AffineFunction, span: Span) -> Obligation:
    """The obligation that both functions map every point of the body to the same answer."""
    projection, names = whole.node.projection, whole.names

    def violations() -> Domain:
        result = Domain.empty(whole.points.space)
        for output, other in zip(projection.outputs, function.outputs, strict=True):
            result = result | Domain.where(projection.domain, [less(output, other)], [less(other, output)])
        return whole.points & result

    def explain(values: Values) -> Witness:
        point = tuple(values[n] for n in names)
        text = ",".join(map(str, point))
        parameters = tuple((p, values[p]) for p in whole.system.parameters)
        words = ", ".join(f"{p}={v}" for p, v in parameters)
        right, wrong = (",".join(map(str, f.at(values))) for f in (projection, function))
        sentence = f"{words}: the point [{text}] of the body belongs to [{right}], and would go to [{wrong}]"
        return Witness(parameters, (WitnessPoint("point", whole.owner, point),), sentence)

    return Obligation(
        rules.PRECONDITION,
        f"the two functions compose to {projection}",
        violations,
        (("point", names),),
        explain,
        lambda values: projection.at(values) != function.at(values),
        span,
        (Label(whole.node.span, "the reduction"),),
    )


def merge_reductions(design: Design, node: str, span: Span = NOWHERE) -> Design:
    """Merge two reductions that are combined by their own operator.

    *Rewrites*: the operation at `node` into a reduction over the points of both; at common points, its body combines
    the two bodies.

    *Checks*: both operands are reductions by that operator, along the same projection, of one type."""
    site = find_node(design.program, node)
    one, two = _operands(design, site, span)
    labels = (Label(one.node.span, "one"), Label(two.node.span, "the other"))
    renamed = two.node.projection
    if renamed.domain.dimensions != one.node.projection.domain.dimensions:
        raise refusal(
            "the two bodies have different numbers of indices",
            span,
            secondary=labels,
            help="TransformReductionBody gives a body more indices",
        )
    if renamed.renamed(one.names) != one.node.projection:
        raise refusal("the two reductions have different projections", span, secondary=labels,
                      help="TransformReductionBody can make them the same")  # fmt: skip
    types = {one.type, two.type, one.facts.types[one.node.body], two.facts.types[two.node.body]}
    if len(types) > 1:
        raise refusal(
            "the two reductions and their bodies have different types",
            span,
            secondary=labels,
            help="give both reductions and their bodies one type",
        )
    with deep():
        new: Expression = _merge_reductions(one, two)
        left, right = one.answers(one.points), two.answers(two.points)
        if not asked_at(site).promised and not (one.needed_domain - (left & right)).is_empty():
            new = Restrict(without_context(left & right, one.system), new, span=new.span)
        new_design = with_expression(design, site.system, site.expression, new)
        return in_short(new_design, site.system.name, defined_by(site.equation)[:1])


def _operands(design: Design, site: Site, span: Span) -> tuple[ReductionSite, ReductionSite]:
    node = site.expression
    if not isinstance(node, Binary | Nary) or len(children(node)) != 2:
        raise refusal(
            "the node is no operation on two reductions",
            span,
            secondary=(Label(node.span, "this"),),
            help="MergeReductions takes `reduce(op, f, a) op reduce(op, g, b)`",
        )
    operands: list[ReductionSite] = []
    for position, child in enumerate(children(node)):
        if not isinstance(child, Reduce) or child.operator != node.operator:
            raise refusal(
                f"this operand is no reduction by `{node.operator}`",
                span,
                secondary=(Label(child.span, "this"),),
                help="MergeReductions takes `reduce(op, f, a) op reduce(op, g, b)`",
            )
        inside = Site((*site.number, position), site.system, site.equation, child)
        operands.append(reduction_at(design, inside, child, span))
    return operands[0], operands[1]


def _merge_reductions(one: ReductionSite, two: ReductionSite) -> Reduce:
    here = one.node.projection.domain
    identity = AffineFunction.identity(here)
    (first, left), (second, body) = without_restrict(one), without_restrict(two)
    right, second = push_function(body, identity, two.names), second.renamed(one.names)
    both = join_terms(one.node.operator, (copy(left), copy(right)), one.node.span)
    branches = [
        Restrict(without_context(domain, one.system), value, span=value.span)
        for domain, value in ((first - second, left), (first & second, both), (second - first, right))
        if not domain.in_context(one.system.context).is_empty()
    ]
    inner: Expression = branches[0] if len(branches) == 1 else Case(tuple(branches), span=one.node.span)
    return Reduce(one.node.operator, one.node.projection, inner, span=one.node.span)
