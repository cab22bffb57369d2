"""A reduction and its place in the program, and combinations of reductions of one operator."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

from alphaz.analysis.facts.domains import WHOLE, DomainQuery
from alphaz.analysis.texts.node_numbers import Site, find_node, roots, sites
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Binary, Call, Case, Expression, Facts, Reduce, Restrict
from alphaz.model.program import System, defined_by
from alphaz.model.types import ScalarType
from alphaz.model.walk import children, copy
from alphaz.poly import Domain
from alphaz.transform.engine.checked_rewrite import with_program, without_context
from alphaz.transform.engine.edit import map_roots, with_system
from alphaz.transform.engine.preconditions import accumulator_type, exchanged_inside, has_reduction
from alphaz.transform.engine.refusals import find_equation, find_system, refusal


@dataclass(frozen=True, slots=True, eq=False)
class ReductionSite:
    """`node`, in the equation of `owner`. `points` are the combined points of the body, `need` the needed answers."""

    design: Design
    site: Site
    node: Reduce
    query: DomainQuery
    span: Span

    @property
    def facts(self) -> Facts:
        return self.design.checked.facts

    @property
    def system(self) -> System:
        return self.site.system

    @property
    def owner(self) -> str:
        return defined_by(self.site.equation)[0]

    @property
    def needed_domain(self) -> Domain:
        return self.facts.context_domain[self.node].in_context(self.system.context)

    @property
    def points(self) -> Domain:
        return self.facts.context_domain[self.node.body].in_context(self.system.context)

    @property
    def type(self) -> ScalarType:
        return self.facts.types[self.node]

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the indices of the body."""
        return self.node.projection.domain.names

    def answers(self, points: Domain) -> Domain:
        """Returns the answers to which some of these points contribute."""
        return points.image(self.node.projection, self.needed_domain.space.names)

    def over(self, domain: Domain, body: Expression) -> Reduce:
        """Returns the same reduction over other points, `domain : body`."""
        inner = Restrict(domain, body, span=body.span)
        return Reduce(self.node.operator, self.node.projection, inner, span=self.node.span)

    def with_expression(self, new: Expression) -> Design:
        """Returns the design with `new` instead of the reduction."""
        return with_expression(self.design, self.system, self.node, new)


def with_expression(design: Design, system: System, node: Expression, new: Expression) -> Design:
    """Returns the design with `new` instead of a node of the system."""
    facts = design.checked.facts
    changed = map_roots(
        system, lambda root: exchanged_inside(root, lambda n: new if n is node else None, facts, system)
    )
    return with_program(design, with_system(design.program, system.name, changed))


def find_reduction(design: Design, node: str, span: Span = NOWHERE) -> ReductionSite:
    """Returns the reduction with this number. Raises Rejected if the node is another expression."""
    site = find_node(design.program, node)
    if not isinstance(site.expression, Reduce):
        raise refusal(
            f"the node {node} is no reduction",
            span,
            secondary=(Label(site.expression.span, "this"),),
            help="PrintAST shows the nodes with their numbers",
        )
    return reduction_at(design, site, site.expression, span)


def reduction_of(design: Design, system: str, variable: str, span: Span = NOWHERE) -> ReductionSite:
    """Returns the reduction that is the right-hand side of the variable. Raises Rejected if it is another
    expression."""
    home = find_system(design.program, system, span)
    root = find_equation(home, variable, span).expression
    for site in sites(design.program):
        if site.expression is root and isinstance(root, Reduce):
            return reduction_at(design, site, root, span)
    raise refusal(
        f"the right-hand side of `{variable}` is not one reduction",
        span,
        secondary=(Label(root.span, "this"),),
        help="NormalizeReduction makes it one, or name the reduction by its node",
    )


def reductions_in(design: Design, selects: Callable[[Site, Reduce], bool], span: Span = NOWHERE) -> list[ReductionSite]:
    """Returns the selected reductions of the program, in the order of the text."""
    return [
        reduction_at(design, site, site.expression, span)
        for site in sites(design.program)
        if isinstance(site.expression, Reduce) and selects(site, site.expression)
    ]


def reduction_at(design: Design, site: Site, node: Reduce, span: Span) -> ReductionSite:
    return ReductionSite(design=design, site=site, node=node, query=asked_at(site), span=span)


def asked_at(site: Site) -> DomainQuery:
    """Returns how the value of the expression is needed (`analysis.domains`)."""
    from_root, query = site.number[3:], WHOLE
    equation = site.equation
    here = roots(equation)[site.number[2]]
    for at in from_root:
        match here:
            case Restrict():
                query = query.restricted
            case Case():
                query = query.branch
            case Reduce():
                query = WHOLE
        here = children(here)[at]
    return query


def require_own_type(reduction: ReductionSite) -> None:
    """Raises Rejected unless the reduction accumulates in the type that it would have anywhere."""
    own = accumulator_type(reduction.facts, reduction.node)
    if own != reduction.type:
        raise refusal(
            f"this reduction accumulates in {reduction.type}, and parts of it would in {own}",
            reduction.span,
            secondary=(Label(reduction.node.span, str(reduction.type)),),
            help="give the body a variable of that type",
        )


def require_indices(reduction: ReductionSite, count: int, what: str) -> None:
    """Raises Rejected unless the argument has as many indices as the body."""
    rank = len(reduction.names)
    if count != rank:
        raise refusal(
            f"the body has {rank} indices, and {what} has {count}",
            reduction.span,
            secondary=(Label(reduction.node.span, "the reduction"),),
            help="the indices of a body are those in front of the arrow of its projection; PrintAST shows it",
        )


def without_restrict(reduction: ReductionSite) -> tuple[Domain, Expression]:
    """Returns the body as a domain and the expression under it; the domain is that of the restrict if only that bounds
    it."""
    body = reduction.node.body
    inside = body.body if isinstance(body, Restrict) else body
    if isinstance(body, Restrict) and not has_reduction(inside):
        return body.domain, inside
    return reduction.points, inside


INFIX = ("+", "*", "min", "max", "and", "or", "xor")


def join_terms(operator: str, parts: Sequence[Expression], span: Span) -> Expression:
    """Returns `a op b op ...`, from the left."""
    result = parts[0]
    for part in parts[1:]:
        if operator in INFIX:
            result = Binary(operator, result, part, span=span)
        else:
            result = Call(operator, (result, part), span=span)
    return result


def combine_parts(whole: ReductionSite, parts: Sequence[tuple[Reduce, Domain]]) -> Expression:
    """Returns `whole` as a combination of parts that share its projection; each with the points that it combines."""
    operator, span = whole.node.operator, whole.node.span
    if whole.query.promised and operator in INFIX:
        return join_terms(operator, [part for part, _ in parts], span)
    need = whole.needed_domain
    answers = [whole.answers(points) & need for _, points in parts]
    branches: list[Expression] = []
    for count in range(1, len(parts) + 1):
        for chosen in combinations(range(len(parts)), count):
            where = need
            for position, answer in enumerate(answers):
                where = where & answer if position in chosen else where - answer
            if where.is_empty():
                continue
            value = join_terms(operator, [copy(parts[at][0]) for at in chosen], span)
            branches.append(Restrict(without_context(where, whole.system), value, span=span))
    rest = reduce(Domain.__sub__, answers, need)
    if whole.query.promised and not rest.is_empty():
        branches.append(Restrict(without_context(rest, whole.system), copy(whole.node), span=span))
    return branches[0] if len(branches) == 1 else Case(tuple(branches), span=span)
