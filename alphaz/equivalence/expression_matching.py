"""The expression of a statement against that of an equation: where they are the same tree, and the required reads.

Operands of commutative operators may be exchanged (which changes no bit); nothing else may differ, except the order of
the terms of sums.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol, cast

from alphaz.equivalence.claims import Need
from alphaz.equivalence.operators import COMPARISONS, identity_key, identity_tree
from alphaz.equivalence.polynomial_forms import Product, is_arithmetic, polynomial
from alphaz.equivalence.value_graph import (
    Apply,
    EquationValue,
    ReductionValue,
    Ref,
    Term,
    constant_key,
    is_inner,
    substitute_indices,
)
from alphaz.equivalence.value_numbering import COMMUTATIVE, LATTICE, NEUTRAL_PLACES, index_of_value, where_same
from alphaz.model.types import DOUBLE, ScalarType
from alphaz.poly import Affine, AffineFunction, Domain, equal
from alphaz.scop.c_model import KernelStatement
from alphaz.scop.conversions import CONVERSIONS, holds, type_of
from alphaz.scop.value_tree import LiteralValue, OperationValue, ReadValue, Tree, reads_in

Way = tuple[Domain, tuple[Need, ...]]
Plausible = Callable[[Domain, Need], bool]


class Observed(Protocol):
    """The values that reads of a statement found in some of its instances: a guess."""

    def constants(self, where: Domain) -> Mapping[int, Fraction]:
        """Returns the reads that find constants of the equations."""

    def finding(self, where: Domain, key: str) -> frozenset[int]:
        """Returns the reads that find the value of this key, which has no indices."""

    def value_at(self, where: Domain, number: int) -> Need | None:
        """Returns a value that a read finds."""


Known = Mapping[str, Affine]

ZERO_KEY = constant_key(LiteralValue(Fraction(0), DOUBLE))
_DEEPEST = 24
_CHOOSING = LATTICE | {"if"}
_COMPARING = COMPARISONS | _CHOOSING
# Limit on the cases of all values in an expression.
_MOST_PARTS = 16


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """`plausible` may discard needs that some run has shown to be wrong; `is_exact` keeps operands in their order.

    If all laws of real numbers are allowed, `observed` determines which reads a polynomial does not need; if sums may
    be padded, `zeros` determines which reads find zero, of products too if it `has_zero_products`. `neutral` determines
    which reads find a neutral element.
    """

    values: Mapping[str, EquationValue]
    plausible: Plausible
    is_exact: bool = False
    regroups: frozenset[str] = frozenset()
    observed: Observed | None = None
    zeros: Observed | None = None
    has_zero_products: bool = True
    neutral: Observed | None = None

    def value(self, tree: Tree, key: str, point: tuple[Affine, ...], where: Domain) -> list[Way]:
        """Returns the instances of `where` for which the tree is the expression of the value; their parts are
        disjoint."""
        return self.match(tree, Ref(key, point), {}, where, 0)

    def copied(self, tree: Tree, key: str, point: tuple[Affine, ...], where: Domain) -> list[Way]:
        """Returns the same for a value that is a copy of another, by the expression of its own equation."""
        return self._unfolded(tree, key, point, where, 1) if isinstance(tree, ReadValue) else []

    def padding(self, tree: Tree, where: Domain) -> list[Way]:
        """Returns the instances for which the tree is a product with zero, or zero, as the law `padding` has it."""
        if self.zeros is None or where.is_empty():
            return []
        zeros = {number for number, value in self.zeros.constants(where).items() if value == 0}
        if not _vanishes(tree, zeros) or (isinstance(tree, OperationValue) and not self.has_zero_products):
            return []
        # The other factors must have been written all the same: 0 times an undefined value may be no number.
        needs = [
            Need(number, ZERO_KEY, ()) if number in zeros else self.zeros.value_at(where, number)
            for number in dict.fromkeys(read.number for read in reads_in(tree))
        ]
        known = tuple(need for need in needs if need is not None)
        return [(where, known)] if len(known) == len(needs) else []

    def identity(self, tree: Tree, where: Domain, operator: str) -> list[Way]:
        """Returns the instances for which the tree is a read of the neutral element of an operator in its own type."""
        key = identity_key(operator, tree.type) if isinstance(tree, ReadValue) else None
        if self.zeros is None or key not in self.values or where.is_empty():
            return []
        assert isinstance(tree, ReadValue)
        assert key is not None
        return [(where, (Need(tree.number, key, ()),))] if tree.number in self.zeros.finding(where, key) else []

    def match(self, tree: Tree, term: Term, index_values: Mapping[str, Affine], where: Domain, depth: int) -> list[Way]:
        """Returns the ways to match a tree with a term; `index_values` are the indices of the term for an instance."""
        if where.is_empty() or depth > _DEEPEST:
            return []
        if self.observed is not None and (is_arithmetic(tree) or is_arithmetic(term)):
            return self._by_all_laws(self.observed, tree, substitute_indices(term, index_values), where, depth)
        ways = self._as_it_is(tree, term, index_values, where, depth)
        if self.neutral is None or not isinstance(tree, OperationValue) or tree.operator not in NEUTRAL_PLACES:
            return ways
        return ways + self._without_neutral(
            self.neutral, tree, term, index_values, _remaining_domain(where, ways), depth
        )

    def _without_neutral(
        self, neutral: Observed, tree: OperationValue, term: Term, index_values: Mapping[str, Affine], where: Domain,
        depth: int,
    ) -> list[Way]:  # fmt: skip
        """Returns matches of the other operand of an operation, where a read finds its neutral element, or where an
        index is that."""
        element, places = NEUTRAL_PLACES[tree.operator]
        for place in places if len(tree.operands) == 2 else ():
            index, other = index_of_value(tree.operands[place]), tree.operands[1 - place]
            if (
                index is not None
                and holds(tree.type, type_of(other))
                and not index.affine.is_constant
                and not where.is_empty()
            ):
                part = where & Domain.where(where.space, [equal(index.affine, Affine.of(constant=element))])
                ways = self.match(other, term, index_values, part, depth + 1)
                if ways:
                    return ways
        numbers = {} if where.is_empty() or len(tree.operands) != 2 else neutral.constants(where)
        for place in places:
            operand = tree.operands[place]
            if isinstance(operand, ReadValue) and numbers.get(operand.number) == element:
                need = Need(operand.number, f"={element}", ())
                ways = self.match(tree.operands[1 - place], term, index_values, where, depth + 1)
                if ways:
                    return [(part, (need, *needs)) for part, needs in ways]
        return []

    def _as_it_is(
        self, tree: Tree, term: Term, index_values: Mapping[str, Affine], where: Domain, depth: int
    ) -> list[Way]:
        match tree, term:
            case ReadValue(number), Ref(key, point):
                need = Need(number, key, tuple(affine.substitute(index_values) for affine in point))
                return [(where, (need,))] if self.plausible(where, need) else []
            case _, Ref(key, point):
                return self._unfolded(
                    tree, key, tuple(affine.substitute(index_values) for affine in point), where, depth + 1
                )
            case ReadValue(number), LiteralValue() if constant_key(term) in self.values:
                need = Need(number, constant_key(term), ())
                return [(where, (need,))] if self.plausible(where, need) else []
            case LiteralValue(a), LiteralValue(b):
                return [(where, ())] if a == b else []
            # All types of floats have the same infinities.
            case OperationValue("neg", (LiteralValue("INFINITY"),)), Apply("neg", (LiteralValue("INFINITY"),)):
                return [(where, ())]
        if (left := index_of_value(tree)) is not None and (
            right := index_of_value(substitute_indices(term, index_values))
        ) is not None:
            part = where_same(where, left, right)
            return [] if part.is_empty() else [(part, ())]
        match tree, term:
            case OperationValue(), Apply(conversion, (inner,)) if _is_held(tree, conversion):
                return self.match(tree, inner, index_values, where, depth)
            case OperationValue(operator, operands, type_), Apply(other, terms, target):
                if operator != other or len(operands) != len(terms) or not _computes_alike(operator, type_, target):
                    return []
                if operator in ("/", "%") and not (type_.is_float or _is_positive(operands[1])):
                    return []
                return self._operands(operator, type_, operands, terms, index_values, where, depth)
        return []

    def _by_all_laws(self, observed: Observed, tree: Tree, term: Term, where: Domain, depth: int) -> list[Way]:
        """Returns matches as the same operations, or else as the same polynomial: of all reads, or without reads of
        constants."""
        if isinstance(term, Ref):
            ways = self._as_it_is(tree, term, {}, where, depth)
        else:
            ways = replace(self, observed=None).match(tree, term, {}, where, depth)
        rest = _remaining_domain(where, ways)
        if rest.is_empty():
            return ways
        type_ = tree.type if is_arithmetic(tree) else cast(Apply, term).type
        ways += self._as_polynomial(observed, tree, term, type_, {}, rest, depth)
        rest = _remaining_domain(where, ways)
        numbers = {} if rest.is_empty() else observed.constants(rest)
        return ways + self._as_polynomial(observed, tree, term, type_, numbers, rest, depth) if numbers else ways

    def _as_polynomial(
        self, observed: Observed, tree: Tree, term: Term, type_: ScalarType, numbers: Mapping[int, Fraction],
        where: Domain, depth: int,
    ) -> list[Way]:  # fmt: skip
        """Returns matches as polynomials; `numbers` are the reads that must find a constant."""
        left = polynomial(tree, type_, numbers)
        reads = dict.fromkeys(read.number for read in reads_in(tree))
        ways_found: list[Way] = []
        if left is None:
            return ways_found
        constants = tuple(Need(read, f"={numbers[read]}", ()) for read in reads if read in numbers)
        left_over = [read for read in reads if read not in numbers]
        # Definitions of variables have been tried before.
        is_variable = isinstance(term, Ref)
        for part, opened in self._opened_in(term, type_, left_over, where, 0 if is_variable else 1):
            right = polynomial(opened, type_)
            ways = [] if right is None else self._products(left, right, type_, part, depth)
            for narrower, needs in ways:
                # Terms that cancel must be written all the same.
                missing = reads.keys() - {need.number for need in (*needs, *constants)}
                others = [observed.value_at(narrower, number) for number in missing]
                other_needs = tuple(other for other in others if other is not None)
                if len(other_needs) == len(missing):
                    ways_found.append((narrower, (*needs, *constants, *other_needs)))
        return ways_found

    def _opened_in(
        self, term: Term, type_: ScalarType, reads: Sequence[int], where: Domain, variables: int
    ) -> list[tuple[Domain, Term]]:
        """Returns the term with the definitions of values without a reader substituted: of operations, and, to this
        depth, of variables."""
        match term:
            case Ref(key, point) if variables or is_inner(key):
                if any(self.plausible(where, Need(read, key, point)) for read in reads):
                    return [(where, term)]
                return self._defined(term, type_, reads, where, variables - (not is_inner(key)))
            case Apply(operator, operands) if is_arithmetic(term) and term.type == type_:
                alternatives: list[tuple[Domain, tuple[Term, ...]]] = [(where, ())]
                for operand in operands:
                    alternatives = [
                        (narrower, (*before, opened))
                        for part, before in alternatives
                        for narrower, opened in self._opened_in(operand, type_, reads, part, variables)
                    ]
                    if len(alternatives) > _MOST_PARTS:
                        return []
                return [(part, Apply(operator, opened, type_)) for part, opened in alternatives]
        return [(where, term)]

    def _defined(
        self, term: Ref, type_: ScalarType, reads: Sequence[int], where: Domain, variables: int
    ) -> list[tuple[Domain, Term]]:
        value = self.values[term.key]
        index_values = dict(zip(value.indices, term.point, strict=True))
        alternatives: list[tuple[Domain, Term]] = []
        for definition in value.definitions:
            part = where & pulled(definition.region.domain, where, term.point)
            if definition.term is not None and not part.is_empty():
                alternatives += self._opened_in(
                    substitute_indices(definition.term, index_values), type_, reads, part, variables
                )
        return alternatives or [(where, term)]

    def _products(
        self, left: Sequence[Product], right: Sequence[Product], type_: ScalarType, where: Domain, depth: int
    ) -> list[Way]:
        """Returns the ways to match each product of one sum with one of the other."""
        if not left or not right:
            return [] if left or right else [(where, ())]
        first, *others = left
        ways_found: list[Way] = []
        rest = where
        for position, product in enumerate(right):
            if product.factor != first.factor or len(product.unknowns) != len(first.unknowns):
                continue
            following = [*right[:position], *right[position + 1 :]]
            trees, terms = cast(Sequence[Tree], first.unknowns), cast(Sequence[Term], product.unknowns)
            for part, needs in self._factors("*", type_, trees, terms, {}, rest, depth + 1):
                ways = self._products(others, following, type_, part, depth)
                ways_found += [(narrower, (*needs, *more)) for narrower, more in ways]
            rest = _remaining_domain(rest, ways_found)
            if rest.is_empty():
                break
        return ways_found

    def _operands(
        self,
        operator: str,
        type_: ScalarType,
        operands: tuple[Tree, ...],
        terms: tuple[Term, ...],
        index_values: Mapping[str, Affine],
        where: Domain,
        depth: int,
    ) -> list[Way]:
        if operator in self.regroups:
            return self._factors(
                operator, type_, _flattened(operands, operator, type_), terms, index_values, where, depth
            )
        straight = self._each(operands, terms, index_values, where, depth)
        if operator not in COMMUTATIVE or len(terms) != 2 or self.is_exact:
            return straight
        rest = _remaining_domain(where, straight)
        return (
            straight if rest.is_empty() else [*straight, *self._each(operands, terms[::-1], index_values, rest, depth)]
        )

    def _factors(
        self,
        operator: str,
        type_: ScalarType,
        trees: Sequence[Tree],
        terms: Sequence[Term],
        index_values: Mapping[str, Affine],
        where: Domain,
        depth: int,
    ) -> list[Way]:
        """Returns the ways to match operands in any order and parenthesisation, in one type: operations among the terms
        are expanded where necessary."""
        if not trees or not terms:
            return [(where, ())] if not trees and not terms else []
        if len(terms) < len(trees):
            return self._opened(operator, type_, trees, terms, index_values, where, depth)
        if len(terms) > len(trees):
            return []
        ways_found: list[Way] = []
        rest = where
        for position, term in enumerate(terms):
            for part, needs in self.match(trees[0], term, index_values, rest, depth):
                left = [*terms[:position], *terms[position + 1 :]]
                others = self._factors(operator, type_, trees[1:], left, index_values, part, depth)
                ways_found += [(narrower, (*needs, *more)) for narrower, more in others]
            rest = _remaining_domain(rest, ways_found)
            if rest.is_empty():
                break
        return ways_found

    def _opened(
        self,
        operator: str,
        type_: ScalarType,
        trees: Sequence[Tree],
        terms: Sequence[Term],
        index_values: Mapping[str, Affine],
        where: Domain,
        depth: int,
    ) -> list[Way]:
        # An operation inside an equation has no cell of its own: it is expanded before a variable is.
        opened = [
            (position, term) for position, term in enumerate(terms) if isinstance(term, Ref) and depth <= _DEEPEST
        ]
        for at, term in sorted(opened, key=lambda item: not is_inner(item[1].key)):
            value = self.values[term.key]
            inside = dict(zip(value.indices, (affine.substitute(index_values) for affine in term.point), strict=True))
            ways_found: list[Way] = []
            for definition in value.definitions:
                product = definition.term
                if isinstance(product, Apply) and _is_regrouped(product, operator, type_):
                    part = where & pulled(definition.region.domain, where, tuple(inside.values()))
                    factors = [substitute_indices(operand, inside) for operand in product.operands]
                    # In their order: statements that no run executed are most often written as the equation is.
                    before, behind = (
                        [substitute_indices(item, index_values) for item in some]
                        for some in (terms[:at], terms[at + 1 :])
                    )
                    ways_found += self._factors(
                        operator, type_, trees, [*before, *factors, *behind], {}, part, depth + 1
                    )
            if ways_found:
                return ways_found
        return []

    def _each(
        self,
        operands: tuple[Tree, ...],
        terms: tuple[Term, ...],
        index_values: Mapping[str, Affine],
        where: Domain,
        depth: int,
    ) -> list[Way]:
        ways: list[Way] = [(where, ())]
        for tree, term in zip(operands, terms, strict=True):
            ways = [
                (narrower, (*needs, *more))
                for part, needs in ways
                for narrower, more in self.match(tree, term, index_values, part, depth)
            ]
        return ways

    def _unfolded(self, tree: Tree, key: str, point: tuple[Affine, ...], where: Domain, depth: int) -> list[Way]:
        """Returns the ways to match a value that is in no cell: its definition must be the tree."""
        value = self.values[key]
        index_values = dict(zip(value.indices, point, strict=True))
        ways_found: list[Way] = []
        for definition in value.definitions:
            if definition.term is None:
                continue
            part = where & pulled(definition.region.domain, where, point)
            if not part.is_empty():
                ways_found += self.match(tree, definition.term, index_values, part, depth)
        return ways_found


def _vanishes(tree: Tree, zeros: Collection[int]) -> bool:
    """Returns True if a tree is a product with a factor that is 0; `zeros` are the reads that find 0."""
    match tree:
        case ReadValue(number):
            return number in zeros
        case LiteralValue(value):
            return value == 0
        case OperationValue("*", operands):
            return any(_vanishes(operand, zeros) for operand in operands)
    return False


def _is_positive(divisor: Tree) -> bool:
    """Returns True if division by the divisor is defined for all integers."""
    return isinstance(divisor, LiteralValue) and isinstance(divisor.value, Fraction) and divisor.value > 0


def _remaining_domain(where: Domain, ways: Sequence[Way]) -> Domain:
    for part, _ in ways:
        where = where - part
    return where


def pulled(domain: Domain, where: Domain, point: tuple[Affine, ...]) -> Domain:
    """Returns the instances whose point lies in the domain."""
    return domain.preimage(AffineFunction(where.space, point))


def _flattened(operands: Sequence[Tree], operator: str, type_: ScalarType) -> list[Tree]:
    operands_: list[Tree] = []
    for operand in operands:
        is_inside = isinstance(operand, OperationValue) and _is_regrouped(operand, operator, type_)
        operands_ += (
            _flattened(operand.operands, operator, type_)
            if is_inside and isinstance(operand, OperationValue)
            else [operand]
        )
    return operands_


def _is_regrouped(node: OperationValue | Apply, operator: str, type_: ScalarType) -> bool:
    """Returns True if an operand of an operation is another such operation that can be regrouped with it. A narrower
    product wraps around, or is rounded, before it is multiplied; a minimum is one of its operands in any type."""
    return node.operator == operator and (node.type == type_ or operator in LATTICE)


def _is_held(tree: OperationValue, conversion: str) -> bool:
    """Returns True if C chooses among numbers of the type that the equation converts to, which therefore changes
    none."""
    target_type = CONVERSIONS.get(conversion)
    is_choice = tree.operator in _CHOOSING and tree.type.kind == "int"
    return is_choice and target_type is not None and holds(target_type, tree.type)


def _computes_alike(operator: str, type_: ScalarType, other: ScalarType) -> bool:
    """Returns True if an operator gives the same result in two types. Comparisons of integers do in all types that hold
    them."""
    return type_ == other or (operator in _COMPARING and type_.kind == other.kind == "int")


# --- sums -------------------------------------------------------------------------------------------------------------


Parts = list[tuple[int, Tree]]


def parts_of(
    tree: Tree, operator: str, own: int | None, type_: ScalarType, in_order: bool = False
) -> tuple[bool, Parts]:
    """Returns whether read `own` is combined by the operator (once, unchanged), and the other combined terms with
    signs.

    Identities of the type are omitted. A tree that does not combine its own cell takes it over as another sum.
    """
    if in_order:
        return _in_order(tree, operator, own, type_)
    parts: Parts = []
    is_own = 0
    for sign, part in _signed_parts(tree, operator, 1):
        if isinstance(part, ReadValue) and part.number == own and sign == 1:
            is_own += 1
        elif not identity_tree(operator, part, type_):
            parts.append((sign, part))
    if is_own > 1:
        return False, [(1, tree)]
    if own is not None and is_own and not parts:
        return False, [(1, ReadValue(own, type_))]
    return bool(is_own), parts


def _in_order(tree: Tree, operator: str, own: int | None, type_: ScalarType) -> tuple[bool, Parts]:
    """Returns the same if terms are combined one after the other, from the left: with the old contents, or with
    nothing."""
    parts: Parts = []
    here = tree
    while isinstance(here, OperationValue) and here.operator == operator and len(here.operands) == 2:
        # A minimum does not depend on the order of its operands.
        is_turned = operator in LATTICE and isinstance(here.operands[1], ReadValue) and here.operands[1].number == own
        here, last = here.operands[::-1] if is_turned else here.operands
        parts.insert(0, (1, last))
    if parts and isinstance(here, ReadValue) and here.number == own:
        return True, parts
    return False, parts if identity_tree(operator, here, type_) else [(1, tree)]


def _signed_parts(tree: Tree, operator: str, sign: int) -> Parts:
    match tree:
        case OperationValue(operand_, (left, right)) if operand_ == operator:
            return [*_signed_parts(left, operator, sign), *_signed_parts(right, operator, sign)]
        case OperationValue("-", (left, right)) if operator == "+":
            return [*_signed_parts(left, operator, sign), *_signed_parts(right, operator, -sign)]
        case OperationValue("neg", (only,)) if operator == "+" and not identity_tree("max", tree, DOUBLE):
            return _signed_parts(only, operator, -sign)
    return [(sign, tree)]


def sum_types_agree(statement: KernelStatement, operator: str, value: EquationValue) -> bool:
    """Returns True if a statement combines in the type of the value, and stores it in its cell in that type."""
    return statement.target.array.type == value.type and _types_agree(statement.value, operator, value)


def _types_agree(tree: Tree, operator: str, value: EquationValue) -> bool:
    match tree:
        case OperationValue(type_found, operands, type_) if type_found == operator or (
            operator == "+" and type_found in ("-", "neg")
        ):
            return type_ == value.type and all(_types_agree(operand, operator, value) for operand in operands)
    return True


def item_ways(
    matching: Matching, tree: Tree, sum_: ReductionValue, number: int,
    body: tuple[Affine, ...], point: tuple[Affine, ...],
    where: Domain,
) -> list[Way]:  # fmt: skip
    """Returns the instances where the tree is item `number` of the sum at a point of the body that belongs to
    `point`."""
    item = sum_.items[number]
    index_values = dict(zip(item.names, body, strict=True))
    meets = [equal(affine.substitute(index_values), p) for affine, p in zip(item.projection, point, strict=True)]
    part = where & pulled(item.region.domain, where, body) & Domain.where(where.space, meets)
    return matching.match(tree, item.term, index_values, part, 0)
