"""SerializeReduction: a reduction becomes an accumulation, one point after the other in the order of a schedule.

    V[z] = reduce(op, p, e)  with a schedule s, injectivity_obligation on the body, and g its inverse:
    _serV[y] = case y is the first of its answer: g@e;  otherwise: _serV[previous(y)] op g@e esac
    V[z] = _serV[last(z)]
`previous` and `last` are lexicographic among the y of one answer, p(g(y)) = z.
"""

from dataclasses import dataclass

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.node_numbers import Site, find_node, sites
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Binary, Call, Case, Constant, Expression, Reduce, Restrict
from alphaz.model.program import Equation, Kind, System, Variable, defined_by
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, AffineFunction, Domain, equal
from alphaz.poly.algorithms.functional_relations import last, left_inverse, previous
from alphaz.transform.engine.checked_rewrite import declared_domain, shortest_form, with_program
from alphaz.transform.engine.edit import add_to_system, map_roots, replace_nodes, with_system
from alphaz.transform.engine.preconditions import injectivity_obligation, joined_type
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import find_equation, find_system, names_of, refusal, require

IDENTITIES: dict[str, int | bool] = {"+": 0, "*": 1, "and": True, "or": False, "xor": False}
"""The neutral elements that are constants of the language."""

_INFIX = ("+", "*", "min", "max", "and", "or", "xor")


def serialize_reduction(
    design: Design, system: str, variable: str, schedule: AffineFunction, span: Span = NOWHERE
) -> Design:
    """Compute the reduction that defines a variable one point after the other, in the order of a schedule.

    *Rewrites*: the reduction into a read of the last value of a new local `_ser<variable>` (if the name is taken,
    `__ser<variable>`, and so on), over the image of the body under the schedule, whose equation accumulates in
    lexicographic order.

    *Checks*: the right-hand side is a reduction; the schedule takes the indices of its body, is injective on it and has
    an integer affine inverse; the predecessor of each point is a piecewise affine function of it. For an answer without
    points, the identity of the operator must be a constant of the language."""
    home = find_system(design.program, system, span)
    root = find_equation(home, variable, span).expression
    for site in sites(design.program):
        if site.expression is root and isinstance(root, Reduce):
            return _serialize(design, site, root, schedule, span)
    raise refusal(
        f"the right-hand side of `{variable}` is not one reduction",
        root.span,
        help="NormalizeReduction makes it one, or name the reduction by its node",
    )


def serialize_reduction_at(design: Design, node: str, schedule: AffineFunction, span: Span = NOWHERE) -> Design:
    """Compute the reduction at a node one point after the other, in the order of a schedule.

    *Rewrites*, *checks*: as the form that takes a variable; the reduction may stand anywhere outside reductions.
    """
    site = find_node(design.program, node)
    if not isinstance(site.expression, Reduce):
        raise refusal(
            f"the node {node} is no reduction", site.expression.span, help="PrintAST shows the nodes with their numbers"
        )
    return _serialize(design, site, site.expression, schedule, span)


def _serialize(design: Design, site: Site, node: Reduce, schedule: AffineFunction, span: Span) -> Design:
    home = site.system
    owner = defined_by(site.equation)[0]
    with deep():
        order = _order(design, home, owner, node, schedule, span)
        name, used_names = f"_ser{owner}", names_of(design.program, home)
        while name in used_names:
            name = f"_{name}"
        type_ = design.checked.facts.types[node]
        _require_type(node, design.checked.facts.types[node.body], type_, span)
        local = Variable(name=name, kind=Kind.LOCAL, type=type_, domain=order.domain, span=node.span)
        equation = Equation(name, order.domain.space.names, _accumulation(name, node, order, home), span=node.span)
        read = _answer(design, home, name, node, order, span)
        changed = map_roots(home, lambda root: replace_nodes(root, lambda n: read if n is node else None))
        changed = add_to_system(changed, [local], [equation])
        return with_program(design, with_system(design.program, home.name, changed))


def _require_type(node: Reduce, body: ScalarType, accumulator: ScalarType, span: Span) -> None:
    if accumulator not in (body, joined_type((body, accumulator))):
        raise refusal(
            f"values of type {body} are accumulated in {accumulator}; equations would add them up in another type",
            span,
            secondary=(Label(node.body.span, str(body)),),
            help="accumulate in the type of the values",
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """`inverse` maps dates to body points, `answer` maps them to results; `domain` has the dates."""

    domain: Domain
    inverse: AffineFunction
    answer: AffineFunction


def _order(design: Design, system: System, owner: str, node: Reduce, schedule: AffineFunction, span: Span) -> _Order:
    body = node.projection.domain
    if schedule.domain.dimensions != body.dimensions or schedule.domain.parameters != body.parameters:
        message = f"the body has {body.dimensions} indices, and {schedule} takes {schedule.domain.dimensions}"
        raise refusal(message, span, secondary=(Label(node.span, "the reduction"),))
    points = design.checked.facts.context_domain[node.body]
    require(
        injectivity_obligation(f"body of {owner}", points, schedule, span, node.span),
        "the schedule must give each point of one answer a date of its own",
    )
    names = body.names
    if len(schedule.outputs) != len(names):
        names = tuple(f"t{position}" for position in range(len(schedule.outputs)))
    inverse = left_inverse(schedule, points, names)
    if inverse is None:
        raise refusal(
            f"the inverse of {schedule} on the body is not an integer affine function",
            span,
            help="an order of accumulation may skew, shift, permute and reverse, but not scale",
        )
    back = inverse.then(schedule)
    stays = [equal(Affine.name(n), value) for n, value in zip(names, back.outputs, strict=True)]
    dates = declared_domain(points.preimage(inverse) & Domain.where(inverse.domain, stays), system)
    return _Order(dates, inverse, inverse.then(node.projection))


def _accumulation(name: str, node: Reduce, order: _Order, system: System) -> Expression:
    earlier = previous(order.domain.in_context(system.context), order.answer)
    if earlier is None:
        raise refusal(
            "the point before a point is not an affine function of it",
            node.span,
            help="write an order along one index of the body after the other",
        )
    rest = order.domain
    branches: list[Expression] = []
    for domain, function in earlier:
        rest = rest - domain
        before = Access(name, function, span=node.span)
        branches.append(
            Restrict(shortest_form(domain, order.domain), _accumulate(node, before, _term(node, order)), span=node.span)
        )
    if not branches:
        return _term(node, order)
    first = Restrict(shortest_form(rest, order.domain), _term(node, order), span=node.span)
    return Case((first, *branches), span=node.span)


def _term(node: Reduce, order: _Order) -> Expression:
    """The body at the date; the domain of the accumulation replaces its restrict."""
    body = node.body.body if isinstance(node.body, Restrict) else node.body
    return push_function(body, order.inverse, node.projection.domain.names)


def _accumulate(node: Reduce, before: Expression, term: Expression) -> Expression:
    if node.operator in _INFIX:
        return Binary(node.operator, before, term, span=node.span)
    return Call(node.operator, (before, term), span=node.span)


def _answer(design: Design, system: System, name: str, node: Reduce, order: _Order, span: Span) -> Expression:
    need = design.checked.facts.context_domain[node]
    if need.is_empty():
        raise refusal("no point of the program needs this reduction", node.span, help="Simplify takes it away")
    ends = last(order.domain.in_context(system.context), order.answer, need.space.names)
    if ends is None:
        raise refusal(
            "the last point of an answer is not an affine function of it",
            span,
            help="write an order along one index of the body after the other",
        )
    empty = need
    for domain, _ in ends:
        empty = empty - domain
    reads = [(domain, Access(name, function, span=node.span)) for domain, function in ends]
    if len(reads) == 1 and empty.is_empty():
        return reads[0][1]
    branches: list[Expression] = [Restrict(shortest_form(d, need), read, span=node.span) for d, read in reads]
    if not empty.is_empty():
        branches.append(Restrict(shortest_form(empty, need), _identity(node, span), span=node.span))
    return Case(tuple(branches), span=node.span) if len(branches) > 1 else branches[0]


def _identity(node: Reduce, span: Span) -> Expression:
    if node.operator in IDENTITIES:
        return Constant(IDENTITIES[node.operator], span=node.span)
    raise refusal(
        f"an answer without points is the identity of `{node.operator}`, which cannot be written in the language",
        span,
        secondary=(Label(node.span, "the reduction"),),
        help="restrict the equation to where the reduction has points",
    )
