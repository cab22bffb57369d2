"""The expression of a statement against that of an equation: where they are the same tree, and what must be read.

Operands of commutative operators may stand in either order (which changes no bit); nothing else may differ, but sums
in the order of what they combine.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from alphaz.c_reading.kernel import Statement
from alphaz.c_reading.tree import Index, Literal, Operation, Read, Tree
from alphaz.model.types import DOUBLE, ScalarType
from alphaz.poly import Affine, AffineFunction, Domain, equal
from alphaz.verify.c.claims import Need
from alphaz.verify.c.equations import Apply, Position, Ref, Sum, Term, Value, constant_key, is_inner
from alphaz.verify.c.trace import COMMUTATIVE, identity_tree

Way = tuple[Domain, tuple[Need, ...]]
Plausible = Callable[[Domain, Need], bool]

Known = Mapping[str, Affine]

_DEEPEST = 24


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """`plausible` may throw out needs that some run has shown to be wrong; `is_exact` keeps operands in their order."""

    values: Mapping[str, Value]
    plausible: Plausible
    is_exact: bool = False
    regroups: frozenset[str] = frozenset()

    def value(self, tree: Tree, key: str, point: tuple[Affine, ...], where: Domain) -> list[Way]:
        """The instances of `where` for which the tree is the expression of the value; their parts are disjoint."""
        if isinstance(tree, Read):
            return self.match(tree, Ref(key, point), {}, where, 0)
        return self._unfolded(tree, key, point, where, 0)

    def match(self, tree: Tree, term: Term, known: Mapping[str, Affine], where: Domain, depth: int) -> list[Way]:
        """`known` says what the indices of the term are for an instance."""
        if where.is_empty() or depth > _DEEPEST:
            return []
        match tree, term:
            case Read(number), Ref(key, point):
                need = Need(number, key, tuple(each.substitute(known) for each in point))
                return [(where, (need,))] if self.plausible(where, need) else []
            case _, Ref(key, point):
                return self._unfolded(tree, key, tuple(each.substitute(known) for each in point), where, depth + 1)
            case Read(number), Literal() if constant_key(term) in self.values:
                need = Need(number, constant_key(term), ())
                return [(where, (need,))] if self.plausible(where, need) else []
            case Literal(a), Literal(b):
                return [(where, ())] if a == b else []
            case Literal(Fraction() as value), Position(affine) if value.denominator == 1:
                return _where_equal(where, affine.substitute(known), Affine(constant=int(value)))
            case Index(found), Position(affine):
                return _where_equal(where, affine.substitute(known), found)
            case Index(found), Literal(Fraction() as value) if value.denominator == 1:
                return _where_equal(where, found, Affine(constant=int(value)))
            case Operation(operator, operands, type_), Apply(other, terms, wanted):
                if operator != other or len(operands) != len(terms) or type_ != wanted:
                    return []
                if operator in ("/", "%") and not type_.is_float:
                    return []
                return self._operands(operator, operands, terms, known, where, depth)
        return []

    def _operands(
        self,
        operator: str,
        operands: tuple[Tree, ...],
        terms: tuple[Term, ...],
        known: Mapping[str, Affine],
        where: Domain,
        depth: int,
    ) -> list[Way]:
        if operator in self.regroups:
            return self._factors(operator, _flattened(operands, operator), list(terms), known, where, depth)
        straight = self._each(operands, terms, known, where, depth)
        if operator not in COMMUTATIVE or len(terms) != 2 or self.is_exact:
            return straight
        rest = where
        for part, _ in straight:
            rest = rest - part
        return straight if rest.is_empty() else [*straight, *self._each(operands, terms[::-1], known, rest, depth)]

    def _factors(
        self,
        operator: str,
        trees: list[Tree],
        terms: list[Term],
        known: Mapping[str, Affine],
        where: Domain,
        depth: int,
    ) -> list[Way]:
        """Operands in any order and in any parentheses: operations among the terms are opened where they must be."""
        if not trees or not terms:
            return [(where, ())] if not trees and not terms else []
        if len(terms) < len(trees):
            return self._opened(operator, trees, terms, known, where, depth)
        if len(terms) > len(trees):
            return []
        found: list[Way] = []
        rest = where
        for at, term in enumerate(terms):
            for part, needs in self.match(trees[0], term, known, rest, depth):
                others = self._factors(operator, trees[1:], [*terms[:at], *terms[at + 1 :]], known, part, depth)
                found += [(narrower, (*needs, *more)) for narrower, more in others]
            for part, _ in found:
                rest = rest - part
            if rest.is_empty():
                break
        return found

    def _opened(
        self,
        operator: str,
        trees: list[Tree],
        terms: list[Term],
        known: Mapping[str, Affine],
        where: Domain,
        depth: int,
    ) -> list[Way]:
        # An operation inside of an equation is in no cell of its own: it is opened before a variable is.
        opened = [(at, term) for at, term in enumerate(terms) if isinstance(term, Ref) and depth <= _DEEPEST]
        for at, term in sorted(opened, key=lambda each: not is_inner(each[1].key)):
            value = self.values[term.key]
            inside = dict(zip(value.indices, (each.substitute(known) for each in term.point), strict=True))
            found: list[Way] = []
            for definition in value.definitions:
                product = definition.term
                if isinstance(product, Apply) and product.operator == operator:
                    part = where & pulled(definition.region.domain, where, tuple(inside.values()))
                    factors = [placed(each, inside) for each in product.operands]
                    # In their order: what no run has come to is most often written as the equation is.
                    before, behind = ([placed(each, known) for each in some] for some in (terms[:at], terms[at + 1 :]))
                    found += self._factors(operator, trees, [*before, *factors, *behind], {}, part, depth + 1)
            if found:
                return found
        return []

    def _each(
        self,
        operands: tuple[Tree, ...],
        terms: tuple[Term, ...],
        known: Mapping[str, Affine],
        where: Domain,
        depth: int,
    ) -> list[Way]:
        ways: list[Way] = [(where, ())]
        for tree, term in zip(operands, terms, strict=True):
            ways = [
                (narrower, (*needs, *more))
                for part, needs in ways
                for narrower, more in self.match(tree, term, known, part, depth)
            ]
        return ways

    def _unfolded(self, tree: Tree, key: str, point: tuple[Affine, ...], where: Domain, depth: int) -> list[Way]:
        """A value that is in no cell: its definition must be the tree."""
        value = self.values[key]
        known = dict(zip(value.indices, point, strict=True))
        found: list[Way] = []
        for definition in value.definitions:
            if definition.term is None:
                continue
            part = where & pulled(definition.region.domain, where, point)
            if not part.is_empty():
                found += self.match(tree, definition.term, known, part, depth)
        return found


def pulled(domain: Domain, where: Domain, point: tuple[Affine, ...]) -> Domain:
    """The instances whose point lies in the domain."""
    return domain.preimage(AffineFunction(where.space, point))


def placed(term: Term, known: Mapping[str, Affine]) -> Term:
    """The term over the iterators of a statement."""
    match term:
        case Ref(key, point):
            return Ref(key, tuple(each.substitute(known) for each in point))
        case Position(affine):
            return Position(affine.substitute(known))
        case Apply(operator, operands, type_):
            return Apply(operator, tuple(placed(each, known) for each in operands), type_)
    return term


def _flattened(operands: Sequence[Tree], operator: str) -> list[Tree]:
    found: list[Tree] = []
    for each in operands:
        is_same = isinstance(each, Operation) and each.operator == operator
        found += _flattened(each.operands, operator) if is_same and isinstance(each, Operation) else [each]
    return found


def _where_equal(where: Domain, left: Affine, right: Affine) -> list[Way]:
    part = where & Domain.where(where.space, [equal(left, right)])
    return [] if part.is_empty() else [(part, ())]


# --- sums -------------------------------------------------------------------------------------------------------------


def parts_of(tree: Tree, operator: str, own: int | None, type_: ScalarType) -> tuple[bool, list[tuple[int, Tree]]]:
    """What a tree combines by an operator: whether read `own` is among it (once, as it is), and the others with signs.

    Identities of the type are left out. What combines nothing with its own cell takes it over as another sum.
    """
    found: list[tuple[int, Tree]] = []
    is_own = 0
    for sign, each in _combined(tree, operator, 1):
        if isinstance(each, Read) and each.number == own and sign == 1:
            is_own += 1
        elif not identity_tree(operator, each, type_):
            found.append((sign, each))
    if is_own > 1:
        return False, [(1, tree)]
    if own is not None and is_own and not found:
        return False, [(1, Read(own, type_))]
    return bool(is_own), found


def _combined(tree: Tree, operator: str, sign: int) -> list[tuple[int, Tree]]:
    match tree:
        case Operation(found, (left, right)) if found == operator:
            return [*_combined(left, operator, sign), *_combined(right, operator, sign)]
        case Operation("-", (left, right)) if operator == "+":
            return [*_combined(left, operator, sign), *_combined(right, operator, -sign)]
        case Operation("neg", (only,)) if operator == "+" and not identity_tree("max", tree, DOUBLE):
            return _combined(only, operator, -sign)
    return [(sign, tree)]


def sum_types_agree(statement: Statement, operator: str, value: Value) -> bool:
    """Whether a statement combines in the type of the value, and keeps that in its cell."""
    return statement.target.array.type == value.type and _types_agree(statement.value, operator, value)


def _types_agree(tree: Tree, operator: str, value: Value) -> bool:
    match tree:
        case Operation(found, operands, type_) if found == operator or (operator == "+" and found in ("-", "neg")):
            return type_ == value.type and all(_types_agree(each, operator, value) for each in operands)
    return True


def item_ways(
    matching: Matching, tree: Tree, sum_: Sum, number: int, body: tuple[Affine, ...], point: tuple[Affine, ...],
    where: Domain,
) -> list[Way]:  # fmt: skip
    """Where the tree is item `number` of the sum at a point of the body that belongs to `point`."""
    item = sum_.items[number]
    known = dict(zip(item.names, body, strict=True))
    meets = [equal(each.substitute(known), p) for each, p in zip(item.projection, point, strict=True)]
    part = where & pulled(item.region.domain, where, body) & Domain.where(where.space, meets)
    return matching.match(tree, item.term, known, part, 0)
