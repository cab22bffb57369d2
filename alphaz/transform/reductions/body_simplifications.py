"""Takes terms out of the body of a reduction: those of its own operator, and repeated ones of min, max, and, or.

    reduce(op, p, e op e')   becomes  reduce(op, p, e) op reduce(op, p, e')
        (SameOperatorSimplification: all that is combined; HoistOutOfReduction: the two operands)
    reduce(max, p, e), e and p without the index k:  the same over the points without k             (Idempotence)
Source: Gautam and Rajopadhye, Simplifying Reductions, POPL 2006, section 4.
"""

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.node_numbers import find_node
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Binary, Compose, Expression, IndexValue, Nary, Reduce, Restrict
from alphaz.model.walk import children, copy, operands, walk, without_restricts
from alphaz.poly import Affine, AffineFunction
from alphaz.transform.engine.checked_rewrite import without_context
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import refusal
from alphaz.transform.normal.simplify import in_short
from alphaz.transform.reductions.site import (
    INFIX,
    ReductionSite,
    combine_parts,
    find_reduction,
    reductions_in,
    require_own_type,
)

IDEMPOTENT = ("min", "max", "and", "or")


def same_operator_simplification(design: Design, node: str, span: Span = NOWHERE) -> Design:
    """Split a reduction whose body combines operands by its own operator into one reduction for each operand.

    *Rewrites*: `reduce(op, p, e op e')` into `reduce(op, p, e) op reduce(op, p, e')`, over the same points.

    *Checks*: the body is such an operation; its operands have the type of the accumulation. Sums of floats are
    reassociated."""
    whole = find_reduction(design, node, span)
    operator, body = whole.node.operator, without_restricts(whole.node.body)
    return _split_terms(
        whole, body, list(operands(body, operator)), "SameOperatorSimplification takes `reduce(op, f, a op b)`"
    )


def hoist_out_of_reduction(design: Design, node: str, span: Span = NOWHERE) -> Design:
    """Move an operation in the body of a reduction by its operator out: each of its operands gets a reduction.

    *Rewrites*: `reduce(op, p, e op e')` into `reduce(op, p, e) op reduce(op, p, e')`, over the same points; operands
    that are such operations themselves stay whole.

    *Checks*: the node is such a reduction or the operation in it; types as in same_operator_simplification.
    """
    whole = _reduction_at(design, node, span)
    body = without_restricts(whole.node.body)
    same = isinstance(body, Binary | Nary) and body.operator == whole.node.operator
    terms = list(children(body)) if same else []
    return _split_terms(whole, body, terms, "HoistOutOfReduction takes `reduce(op, f, a op b)`, or the `a op b` in it")


def _reduction_at(design: Design, node: str, span: Span) -> ReductionSite:
    """The reduction at the node, or the one whose body it is."""
    expression = find_node(design.program, node).expression
    bodies = reductions_in(design, lambda _, reduction_: without_restricts(reduction_.body) is expression, span)
    return bodies[0] if bodies else find_reduction(design, node, span)


def _split_terms(whole: ReductionSite, body: Expression, terms: list[Expression], remedy: str) -> Design:
    """The combination of a reduction of each term."""
    operator = whole.node.operator
    if operator not in INFIX or len(terms) < 2:
        place = Label(body.span, "the body")
        raise refusal(f"the body is no operation by `{operator}`", whole.span, secondary=(place,), help=remedy)
    other = next((o for o in terms if whole.facts.types[o] != whole.facts.types[body]), None)
    if other is not None:
        message = "the operands have different types: their reductions would be computed in different types"
        raise refusal(message, whole.span, secondary=(Label(other.span, str(whole.facts.types[other])),))
    require_own_type(whole)
    with deep():
        points = without_context(whole.points.simplify(), whole.system)
        parts = [(whole.over(points, copy(operand)), whole.points) for operand in terms]
        return in_short(whole.with_expression(combine_parts(whole, parts)), whole.system.name, (whole.owner,))


def idempotence(design: Design, node: str, span: Span = NOWHERE) -> Design:
    """Remove the loops along which the body is constant from a reduction by min, max, and, or.

    *Rewrites*: the reduction into one over the other indices of its body, where it has a point.

    *Checks*: the operator is idempotent; the index occurs neither in the body (except in its domain) nor in the
    projection."""
    whole = find_reduction(design, node, span)
    label = Label(whole.node.span, "the reduction")
    if whole.node.operator not in IDEMPOTENT:
        message = f"`{whole.node.operator}` makes something else of equal values"
        raise refusal(message, span, secondary=(label,), help="this is for min, max, and, or")
    names = tuple(n for n in whole.names if n in used_indices(whole))
    if names == whole.names:
        raise refusal(
            "the body depends on each of its indices",
            span,
            secondary=(label,),
            help="a loop can go where the body does not depend on its index",
        )
    with deep():
        points = whole.points.onto(names).simplify()
        if any(piece.floors for piece in points.pieces()):
            raise refusal(
                "the other indices would need an integer division",
                span,
                secondary=(label,),
                help="TransformReductionBody can change the basis of the body first",
            )
        there = AffineFunction(points.space, tuple(Affine.name(n) if n in names else Affine() for n in whole.names))
        body = push_function(without_restricts(whole.node.body), there, whole.names)
        projection = AffineFunction(points.space, whole.node.projection.outputs)
        inside = Restrict(without_context(points, whole.system), body, span=body.span)
        new = Reduce(whole.node.operator, projection, inside, span=whole.node.span)
        return in_short(whole.with_expression(new), whole.system.name, (whole.owner,))


def used_indices(whole: ReductionSite) -> set[str]:
    """Returns the indices of the body on which its value or the projection depends."""
    body = without_restricts(whole.node.body)
    affines = list(whole.node.projection.outputs)
    for node in walk(body):
        if isinstance(node, Restrict):
            return set(whole.names)
        if isinstance(node, Access | Compose):
            affines += node.function.outputs
        elif isinstance(node, IndexValue):
            affines.append(node.affine)
        elif isinstance(node, Reduce):
            return set(whole.names)
    return {name for affine in affines for name in affine.names}
