"""Expression domains and context domains: where expressions have values, and where values are needed.

    value(e)    the expression domain, bottom-up: the pre-image of the variable's domain for a read; intersection over
                operators, union over the branches of a case, pre-image under f @ e, intersection with a restrict.
    need(e)     the context domain, top-down: the variable's domain at the equation; image under f @ e; intersected with
                a restrict, and with value(e) at each branch of a case; in a reduction, the pre-image of the projection
                intersected with value(body).

A reduction over no points is the identity of its operator: under the equation, a restrict, or an enclosing reduction it
has a value everywhere. In a branch of a case without a restrict only the expression itself determines the domain: there
it has a value where its body has a point. (Points that restricted branches of one case yield to each other were removed
before: `elaborate.yielding`.)

A reduction may take its bounds from those in its body. With points(e) as value(e) where no reduction of e is its
identity, a result to which infinitely many points of value(body) contribute has those of points(body) only.
Source: C. Mauras, ALPHA (1989), expression and context domains; the language reference for implicit bounds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from alphaz.model.expression import (
    Access,
    Case,
    Compose,
    Constant,
    Expression,
    IndexValue,
    Reduce,
    Restrict,
)
from alphaz.model.program import Variable
from alphaz.model.walk import children, walk
from alphaz.poly import AffineFunction, Domain, Space, infinite_preimages


def at(domain: Domain, function: AffineFunction) -> Domain:
    """Returns the pre-image, cheaply if the function is the identity."""
    return domain.renamed(function.domain.names) if function.is_identity else domain.preimage(function)


def both(left: Domain | None, right: Domain | None) -> Domain | None:
    """Returns the intersection, where None is everything."""
    if left is None or right is None:
        return right if left is None else left
    return left if left is right else left & right


def either(left: Domain | None, right: Domain | None) -> Domain | None:
    """Returns the union, where None is everything."""
    return None if left is None or right is None else left | right


@dataclass(frozen=True, slots=True)
class DomainQuery:
    """The need for the value of an expression: `promised` by an explicit domain; `strict` without one."""

    promised: bool = True
    strict: bool = False

    @property
    def branch(self) -> "DomainQuery":
        return DomainQuery(False, self.strict)

    @property
    def restricted(self) -> "DomainQuery":
        return DomainQuery(not self.strict, self.strict)


WHOLE = DomainQuery()
STRICT = DomainQuery(promised=False, strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class DomainInference:
    """Domains of the expressions of one system, filled equation by equation.

    `values` and `bodies` (value(body) of each reduction) have None for everything. `owners` maps the context space of
    an expression to the indices of its equation, None under a composition."""

    variables: Mapping[str, Variable]
    spaces: dict[Expression, Space] = field(default_factory=dict)
    queries: dict[Expression, DomainQuery] = field(default_factory=dict)
    values: dict[Expression, Domain | None] = field(default_factory=dict)
    needs: dict[Expression, Domain] = field(default_factory=dict)
    owners: dict[Expression, AffineFunction | None] = field(default_factory=dict)
    bodies: dict[Reduce, Domain | None] = field(default_factory=dict)

    def infer(self, root: Expression, needed: Domain) -> None:
        """Computes the domains of an expression that is needed on `needed`."""
        self.measure(root, needed.space, WHOLE)
        self._need(root, needed, AffineFunction.identity(needed.space))

    # --- bottom-up ----------------------------------------------------------------------------------------------

    def measure(self, node: Expression, space: Space, query: DomainQuery) -> Domain | None:
        """Returns the domain of a value, None for everything, and computes those of all subexpressions; `query` is how
        it is needed."""
        self.spaces[node], self.queries[node] = space, query
        self.values[node] = value = self._valued(node, space, query)
        return value

    def _valued(self, node: Expression, space: Space, query: DomainQuery) -> Domain | None:
        match node:
            case Constant() | IndexValue():
                return None
            case Access():
                return at(self.variables[node.variable].domain, node.function)
            case Restrict():
                return both(node.domain, self.measure(node.body, space, query.restricted))
            case Compose():
                inner = self.measure(node.body, space.with_names(node.names), query)
                return None if inner is None else inner.preimage(node.function)
            case Reduce():
                inner = self._body(node, space)
                return None if query.promised else image_of(inner, node, space)
            case Case():
                branches = [self.measure(branch, space, query.branch) for branch in node.branches]
                result = branches[0]
                for branch in branches[1:]:
                    result = either(result, branch)
                return result
        result = None
        for child in children(node):
            result = both(result, self.measure(child, space, query))
        return result

    def _body(self, node: Reduce, space: Space) -> Domain | None:
        """value(body) of a reduction, with its implied bounds."""
        if node not in self.bodies:
            value = self.measure(node.body, node.projection.domain, WHOLE)
            if any(isinstance(part, Reduce) for part in walk(node.body)):
                self.values[node.body] = value = self._with_implied_bounds(node, value, space)
            self.bodies[node] = value
        return self.bodies[node]

    def _with_implied_bounds(self, node: Reduce, value: Domain | None, space: Space) -> Domain | None:
        """value(body), in which results with infinitely many points have those of points(body) only."""
        body = node.projection.domain
        whole = Domain.universe(body) if value is None else value
        infinite = infinite_preimages(whole, node.projection)
        if infinite.is_empty():
            return value
        endless = infinite.image(node.projection, space.names).preimage(node.projection)
        points = DomainInference(self.variables, bodies=self.bodies).measure(node.body, body, STRICT)
        return both(whole, points) if whole.is_subset(endless) else (whole - endless) | (both(endless, points) or whole)

    def domain(self, node: Expression) -> Domain:
        """Returns value(e) of an expression that has been measured."""
        value = self.values[node]
        return Domain.universe(self.spaces[node]) if value is None else value

    # --- top-down -----------------------------------------------------------------------------------------------

    def _need(self, node: Expression, needed: Domain, owner: AffineFunction | None, *, has_value: bool = False) -> None:
        """`has_value`: `needed` lies inside value(node), and so inside of the domains of restricts."""
        self.needs[node], self.owners[node] = needed, owner
        match node:
            case Restrict():
                self._need(node.body, needed if has_value else needed & node.domain, owner, has_value=has_value)
            case Compose():
                self._need(node.body, needed.image(node.function, node.names), None)
            case Reduce():
                inside = at(needed, node.projection)
                self._need(
                    node.body,
                    both(inside, self.values[node.body]) or inside,
                    None if owner is None else node.projection.then(owner),
                )
            case Case():
                for branch in node.branches:
                    self._need(branch, both(needed, self.values[branch]) or needed, owner, has_value=True)
            case _:
                for child in children(node):
                    self._need(child, needed, owner)


def image_of(body: Domain | None, node: Reduce, space: Space) -> Domain:
    """Returns the results of a reduction that have a point, over its context space."""
    whole = Domain.universe(node.projection.domain) if body is None else body
    return whole.image(node.projection, space.names)


class ExpressionDomains(Mapping[Expression, Domain]):
    """value(e) as a domain, for every expression of a program."""

    def __init__(self, inferences: tuple[DomainInference, ...]) -> None:
        self._of: dict[Expression, DomainInference] = {
            node: inference for inference in inferences for node in inference.values
        }

    def __getitem__(self, node: Expression) -> Domain:
        return self._of[node].domain(node)

    def __iter__(self) -> Iterator[Expression]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)
