"""HigherOrderOperator: a reduction of a constant value becomes that value, times the number of points for a sum.

    reduce(+, p, e)    =  count * e'          e = e' o p on the body
    reduce(max, p, e)  =  e'                  (and min, and, or) where there is a point
Source: Gautam and Rajopadhye, Simplifying Reductions, POPL 2006, section 4."""

from math import lcm

from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Label, Rejected, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Binary, Case, Constant, Expression, IndexValue, Restrict
from alphaz.model.program import Equation
from alphaz.model.walk import copy, without_restricts
from alphaz.poly import Affine, Domain, Space, equal, fresh_names, instantiate
from alphaz.poly.algorithms.counting import Count, count
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.transform.engine.checked_rewrite import without_context
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import refusal
from alphaz.transform.normal.simplify import in_short
from alphaz.transform.reductions.body_simplifications import IDEMPOTENT
from alphaz.transform.reductions.factor import section_of
from alphaz.transform.reductions.invariance import unsteady
from alphaz.transform.reductions.site import ReductionSite, find_reduction


def higher_order_operator(design: Design, node: str, span: Span = NOWHERE) -> Design:
    """Replace a reduction whose body is constant over the points of an answer by a closed form.

    *Rewrites*: a sum into the value times the number of its points, by min, max, and, or into the value; an answer
    without points is the identity.

    *Checks*: the body is constant over the points of each answer; the number of points is a polynomial in the indices
    and parameters; the value has the type in which the reduction accumulates. Sums of floats are reassociated."""
    whole = find_reduction(design, node, span)
    operator, body = whole.node.operator, without_restricts(whole.node.body)
    if operator != "+" and operator not in IDEMPOTENT:
        raise _rejection(whole, f"there is no closed form for `{operator}`", "this is for +, min, max, and, or")
    _require_type(whole, body)
    with deep():
        section = section_of(whole)
        if section is None or unsteady(body, whole.node.projection.then(section), whole.points, whole.facts):
            raise _rejection(whole, "the body differs at points of one answer", "only equal values can be counted")
        value = push_function(body, section, whole.names)
        parts = (
            _repeated_values(whole, value)
            if operator == "+"
            else [(whole.answers(whole.points) & whole.needed_domain, value)]
        )
        return in_short(whole.with_expression(_case_of(whole, parts)), whole.system.name, (whole.owner,))


def _rejection(whole: ReductionSite, message: str, remedy: str) -> Rejected:
    return refusal(message, whole.span, secondary=(Label(whole.node.span, "the reduction"),), help=remedy)


def _require_type(whole: ReductionSite, body: Expression) -> None:
    """Raises Rejected unless the product has the type of the reduction: a product with a number of points is a long, or
    has the type of a wider value.

    As a whole right-hand side it is converted to the type of the variable, and integers wrap around as sums do."""
    own, result_type = whole.facts.types[body], whole.type
    equation = whole.site.equation
    is_root = isinstance(equation, Equation) and equation.expression is whole.node
    integers = own.kind == result_type.kind == "int"
    if own == result_type and (own.is_float or whole.node.operator != "+" or is_root or own.bits == 64):
        return
    if is_root and integers and whole.node.operator == "+":
        return
    raise refusal(
        f"the closed form would be computed in another type than {result_type}",
        whole.span,
        secondary=(Label(body.span, str(own)),),
        help="NormalizeReduction gives the reduction a variable of its own, whose type is that of its value",
    )


def _repeated_values(whole: ReductionSite, value: Expression) -> list[tuple[Domain, Expression]]:
    """For each part of the answers, the number of their points times the value."""
    reached = whole.answers(whole.points) & whole.needed_domain
    number = _point_count(whole)
    if number is None:
        message = "the number of points of an answer is no polynomial in its indices"
        raise _rejection(whole, message, "TransformReductionBody or SplitReductionBody may make it one")
    space = whole.needed_domain.space
    parameters = tuple(map(Affine.name, (*space.parameters, *space.names)))
    parts: list[tuple[Domain, Expression]] = []
    for where, polynomial in number.parts:
        here = instantiate(where, space, parameters, ()) & reached
        if not here.is_empty():
            factor = _polynomial_expression(polynomial)
            parts.append((here, Binary("*", copy(value), factor, span=value.span)))
    return parts


def _point_count(whole: ReductionSite) -> Count | None:
    """The number of points of each answer, with the indices of the answer as parameters."""
    space, projection = whole.needed_domain.space, whole.node.projection
    outer = (*space.parameters, *space.names)
    inner = fresh_names(len(whole.names), "x", outer)
    flat = Space(outer, inner)
    points = instantiate(whole.points, flat, tuple(map(Affine.name, space.parameters)), tuple(map(Affine.name, inner)))
    renamed = projection.renamed(inner).outputs
    answers = [equal(Affine.name(n), output) for n, output in zip(space.names, renamed, strict=True)]
    need = instantiate(
        whole.needed_domain, Space(outer, ()), *(tuple(map(Affine.name, n)) for n in (space.parameters, space.names))
    )
    return count(points & Domain.where(flat, answers), need)


def _polynomial_expression(value: Polynomial) -> Expression:
    """The polynomial as an expression over index values: one affine form, or a sum of products over one denominator (it
    divides)."""
    denominator = lcm(*(c.denominator for _, c in value.terms)) if value.terms else 1
    whole = [(monomial, int(c * denominator)) for monomial, c in value.terms]
    affine, higher = Affine(), []
    for monomial, coefficient in whole:
        names = [name for name, exponent in monomial for _ in range(exponent)]
        if len(names) > 1:
            higher.append((names, coefficient))
        else:
            affine = affine + (Affine.name(names[0]) * coefficient if names else Affine(constant=coefficient))
    total: Expression | None = None if higher and affine == Affine() else IndexValue(affine)
    for names, coefficient in sorted(higher, key=lambda term: -len(term[0])):
        product: Expression = IndexValue(Affine.name(names[0]) * coefficient)
        for name in names[1:]:
            product = Binary("*", product, IndexValue(Affine.name(name)))
        total = product if total is None else Binary("+", product, total)
    assert total is not None
    return total if denominator == 1 else Binary("/", total, Constant(denominator))


_IDENTITIES = {"+": 0, "or": False, "and": True}


def _empty_value(whole: ReductionSite) -> Expression:
    """The value over no points; that of min and max depends on the type, and stays a reduction."""
    identity = _IDENTITIES.get(whole.node.operator)
    return copy(whole.node) if identity is None else Constant(identity, span=whole.node.span)


def _case_of(whole: ReductionSite, parts: list[tuple[Domain, Expression]]) -> Expression:
    """The parts as a case; an answer without points is unchanged."""
    rest = whole.needed_domain
    branches: list[Expression] = []
    for where, value in parts:
        rest = rest - where
        branches.append(Restrict(without_context(where, whole.system), value, span=value.span))
    if whole.query.promised and not rest.is_empty():
        branches.append(Restrict(without_context(rest, whole.system), _empty_value(whole), span=whole.node.span))
    return branches[0] if len(branches) == 1 else Case(tuple(branches), span=whole.node.span)
