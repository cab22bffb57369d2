"""The branches of an expression with cases: for each one its domain, and the expression without cases."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from alphaz.equivalence.value_graph import Unsupported
from alphaz.model.expression import Binary, Case, Compose, Constant, Expression, Facts, If, IndexValue, Reduce, Restrict
from alphaz.model.types import ScalarType
from alphaz.model.walk import children
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, at_least, equal, less
from alphaz.poly.plain.space import Space
from alphaz.scop.conversions import holds

# Lists of conditions, of which one has to hold.
_COMPARED: Mapping[str, Callable[[Affine, Affine], tuple[list[Constraint], ...]]] = {
    "<": lambda a, b: ([less(a, b)],),
    "<=": lambda a, b: ([at_least(b, a)],),
    ">": lambda a, b: ([less(b, a)],),
    ">=": lambda a, b: ([at_least(a, b)],),
    "==": lambda a, b: ([equal(a, b)],),
    "!=": lambda a, b: ([less(a, b)], [less(b, a)]),
}


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """An expression whose index names denote affine expressions of the context, as `Compose` leaves them."""

    node: Expression
    values: Mapping[str, Affine]

    def affine(self, affine: Affine) -> Affine:
        return affine.substitute(self.values) if self.values else affine

    def inner(self, node: Expression) -> "At":
        return At(node, self.values)


def branches(node: Expression, domain: Domain, facts: Facts) -> list[tuple[Domain, "Plain"]]:
    return [(where, plain) for where, plain in _alternatives(At(node, {}), domain, facts) if not where.is_empty()]


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """An expression without cases and restricts: a node, its plain children, and the substitution of its names."""

    at: At
    children: tuple["Plain", ...] = ()
    bodies: tuple[tuple[Domain, "Plain"], ...] = ()


def _alternatives(at: At, domain: Domain, facts: Facts) -> list[tuple[Domain, Plain]]:
    node = at.node
    match node:
        case Case():
            every = [
                alternative
                for branch in node.branches
                for alternative in _alternatives(at.inner(branch), domain, facts)
            ]
            for _, plain in every:
                _check_type(plain.at.node, facts.types[node], facts)
            return every
        case If() if (cases := _cases(at, domain, facts)) is not None:
            return cases
        case Restrict():
            return _alternatives(at.inner(node.body), domain & _pulled(node.domain, at, domain.space), facts)
        case Compose():
            values = dict(zip(node.names, map(at.affine, node.function.outputs), strict=True))
            return _alternatives(At(node.body, values), domain, facts)
        case Reduce():
            return [(domain, Plain(at, bodies=tuple(branches(node.body, facts.expression_domain[node.body], facts))))]
    alternatives: list[tuple[Domain, tuple[Plain, ...]]] = [(domain, ())]
    for child in children(node):
        alternatives = [
            (narrower, (*before, plain))
            for where, before in alternatives
            for narrower, plain in _alternatives(at.inner(child), where, facts)
            if not narrower.is_empty()
        ]
    return [(where, Plain(at, plains)) for where, plains in alternatives]


def _cases(at: At, domain: Domain, facts: Facts) -> list[tuple[Domain, Plain]] | None:
    """Returns the branches of `if [i] < [j] then .. else ..` with their points, as C has a statement for each; None if
    the condition depends on data, or the result is converted."""
    node = at.node
    assert isinstance(node, If)
    then = _where(at.inner(node.condition), domain)
    if then is None or not all(
        _needs_no_conversion(branch, facts.types[node], facts) for branch in (node.then, node.otherwise)
    ):
        return None
    sides = ((node.then, domain & then), (node.otherwise, domain - then))
    return [alternative for side, where in sides for alternative in _alternatives(at.inner(side), where, facts)]


def _where(at: At, domain: Domain) -> Domain | None:
    """Returns the points where a comparison of indices holds."""
    node = at.node
    if not isinstance(node, Binary) or node.operator not in _COMPARED:
        return None
    left, right = (_index(at.inner(operand)) for operand in (node.left, node.right))
    return None if left is None or right is None else Domain.where(domain.space, *_COMPARED[node.operator](left, right))


def _index(at: At) -> Affine | None:
    match at.node:
        case IndexValue(affine):
            return at.affine(affine)
        case Constant(value) if isinstance(value, int) and not isinstance(value, bool):
            return Affine.of(constant=value)
    return None


def _needs_no_conversion(node: Expression, type_: ScalarType, facts: Facts) -> bool:
    return holds(type_, facts.types[node]) or isinstance(node, Constant | IndexValue)


def _check_type(branch: Expression, type_: ScalarType, facts: Facts) -> None:
    """Checks that a branch has all values in the common type of all branches, otherwise they would be converted
    twice."""
    if not _needs_no_conversion(branch, type_, facts):
        raise Unsupported(f"a branch of type {facts.types[branch]} in a case of type {type_}: convert it explicitly")


def _pulled(domain: Domain, at: At, space: Space) -> Domain:
    outputs = tuple(at.affine(Affine.name(name)) for name in domain.space.names)
    return domain.preimage(AffineFunction(space, outputs))


def substitute_indices(plain: Plain, values: Mapping[str, Affine]) -> Plain:
    """Returns the expression with the indices of the context replaced."""
    if plain.bodies:
        raise Unsupported("a product of two reductions")
    index_values = {name: plain.at.affine(Affine.name(name)).substitute(values) for name in {*values, *plain.at.values}}
    return Plain(At(plain.at.node, index_values), tuple(substitute_indices(child, values) for child in plain.children))
