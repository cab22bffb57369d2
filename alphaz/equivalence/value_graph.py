"""The equations as a graph of values: each operation in them is a value of its own at each point of its context.

A value is identified by its key and a point: an input or a variable by its name, an inner operation `v.3` by the
variable that it belongs to. C may keep any of them in a cell.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from alphaz.model.types import INT, ScalarType
from alphaz.poly import Affine, Domain, Piece
from alphaz.scop.value_tree import LiteralValue, OperationValue, Tree


class Unsupported(Exception):
    """The equations are not supported by the proof, with the reason."""


def is_inner(key: str) -> bool:
    """Returns True if it is the key of an operation inside an equation, not of a variable."""
    return "." in key


@dataclass(frozen=True, slots=True)
class Ref:
    """The value `key` at a point, over the indices of the value that refers to it."""

    key: str
    point: tuple[Affine, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The value of an affine expression."""

    affine: Affine


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator, named as in `OperationValue`, on values."""

    operator: str
    operands: "tuple[Term, ...]"
    type: ScalarType


Term = Ref | LiteralValue | Position | Apply


@dataclass(frozen=True, slots=True, eq=False)
class ValueRegion:
    """A set of points for repeated membership tests."""

    domain: Domain
    parts: tuple[Piece, ...]

    @staticmethod
    def of(domain: Domain) -> "ValueRegion":
        return ValueRegion(domain, domain.pieces())

    def has(self, values: Mapping[str, int]) -> bool:
        return any(part.holds(values) for part in self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """The terms of a sum: for each point b of `region` (over `names`), `term` with `sign`, for the point
    `projection(b)` of the sum."""

    sign: int
    names: tuple[str, ...]
    region: ValueRegion
    projection: tuple[Affine, ...]
    term: Term


@dataclass(frozen=True, slots=True, eq=False)
class ReductionValue:
    """Values combined in any order by an associative and commutative operator: reductions, and terms added to them.

    Or `in_order`: a reduction alone, whose values are combined one after the other, in the order of the points of its
    body.
    """

    operator: str
    items: tuple[Item, ...]
    in_order: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ValueDefinition:
    """On `region`, the value is `term` (None if it is a sum only), and, if there is one, `sum` as well."""

    region: ValueRegion
    term: Term | None
    sum: ReductionValue | None = None


@dataclass(frozen=True, slots=True, eq=False)
class EquationValue:
    """All values of one key. An input has no definitions."""

    key: str
    indices: tuple[str, ...]
    domain: Domain
    type: ScalarType
    definitions: tuple[ValueDefinition, ...]

    @property
    def is_input(self) -> bool:
        return not self.definitions


def constant_key(literal: LiteralValue) -> str:
    """Returns the key of a constant, which is a value at no indices."""
    return f"={literal.value}"


ONE = LiteralValue(Fraction(1), INT)
"""The value of an allocated entry of a table (`scop.pointer_tables`)."""


def constant_of(value: EquationValue) -> Fraction | None:
    """Returns the number that a value is, if it is a constant of the equations."""
    match value.definitions:
        case [ValueDefinition(term=LiteralValue(Fraction() as number) as literal)] if value.key == constant_key(
            literal
        ):
            return number
    return None


DISTRIBUTIVITY, ASSOCIATIVITY = "distributivity", "associativity"
RECIPROCAL, PADDING = "reciprocal", "padding"
# A law of all sums in trees, where unused cells hold zeros: s + 0 = s.
IDENTITY = "identity"
# A law of all numbers, where a cell begins with 0 or 1: 0 + x = x (except for the sign of a zero), 1 * x = x.
NEUTRAL = "neutral"
LAWS = {
    DISTRIBUTIVITY: "c * sum(x) = sum(c * x), c + min(x) = min(c + x)",
    ASSOCIATIVITY: "(a * b) * c = a * (b * c)",
    RECIPROCAL: "x / s = x * (1 / s) of floats",
    PADDING: "s + 0 * x = s",
}
"""Laws that may be allowed in addition to the order of sums: each changes the rounding of floats, except `padding`,
which changes the results of infinities and NaN, and signs of zeros."""


def affine_of(term: Term) -> Affine | None:
    match term:
        case Position(affine):
            return affine
        case LiteralValue(Fraction(denominator=1) as value):
            return Affine.of(constant=int(value))
    return None


def literals_in(term: Term) -> Iterator[LiteralValue]:
    if isinstance(term, LiteralValue):
        yield term
    elif isinstance(term, Apply):
        for operand in term.operands:
            yield from literals_in(operand)


def refs_in(term: Term) -> Iterator[Ref]:
    if isinstance(term, Ref):
        yield term
    elif isinstance(term, Apply):
        for operand in term.operands:
            yield from refs_in(operand)


def operations_in(node: Tree | Term | None) -> Iterator[OperationValue | Apply]:
    """Yields the operations of a tree of C, or of a term."""
    if isinstance(node, OperationValue | Apply):
        yield node
        for operand in node.operands:
            yield from operations_in(operand)


def names_in(term: Term) -> Iterator[str]:
    match term:
        case Ref(point=point):
            for coordinate in point:
                yield from coordinate.names
        case Position(affine):
            yield from affine.names
        case Apply(operands=operands):
            for operand in operands:
                yield from names_in(operand)


def substitute_indices(term: Term, index_values: Mapping[str, Affine]) -> Term:
    """Returns the term with its indices replaced."""
    match term:
        case Ref(key, point):
            return Ref(key, tuple(coordinate.substitute(index_values) for coordinate in point))
        case Position(affine):
            return Position(affine.substitute(index_values))
        case Apply(operator, operands, type_):
            return Apply(operator, tuple(substitute_indices(operand, index_values) for operand in operands), type_)
    return term


def rename_indices(term: Term, names: Mapping[str, str]) -> Term:
    return substitute_indices(term, {old: Affine.name(new) for old, new in names.items()})
