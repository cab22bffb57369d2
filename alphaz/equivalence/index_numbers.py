"""Indices as values: the integers that they are, and their values after conversion to narrower types."""

from dataclasses import dataclass
from fractions import Fraction

from alphaz.equivalence.case_branches import Plain
from alphaz.equivalence.operators import literal, operator_of
from alphaz.equivalence.value_graph import Apply, Position, Term, affine_of
from alphaz.model.expression import Binary, Constant, IndexValue, Nary, Unary
from alphaz.model.facts import Facts
from alphaz.model.types import LONG, ScalarType
from alphaz.poly import Affine, Constraint, Domain, equal
from alphaz.scop.conversions import CONVERSIONS, conversion, fold_affine, holds
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, Tree


@dataclass(frozen=True, slots=True)
class IndexNumber:
    """An affine expression of a type, and the types it is converted to, in order."""

    affine: Affine
    type: ScalarType
    through: tuple[ScalarType, ...] = ()


def index_of_value(node: Tree | Term) -> IndexNumber | None:
    """Returns the index that a value is; None for other values."""
    match node:
        case LiteralValue(Fraction(denominator=1) as value, own):
            return IndexNumber(Affine(constant=int(value)), own)
        case IndexLeaf(affine, own):
            return IndexNumber(affine, own)
        case Position(affine):
            return IndexNumber(affine, LONG)
        case OperationValue(operator, (only,)) | Apply(operator, (only,)) if (
            type_ := CONVERSIONS.get(operator)
        ) is not None:
            inner = index_of_value(only)
            return inner and IndexNumber(inner.affine, inner.type, (*inner.through, type_))
    return None


def where_same(where: Domain, left: IndexNumber, right: IndexNumber) -> Domain:
    """Returns the instances for which both are one number. Conversions to types that hold all values change none."""
    part = where & Domain.where(where.space, [equal(left.affine, right.affine)])
    if left.through == right.through:
        return part
    types = (left.type, right.type)
    whole = [conversion_ for conversion_ in (*left.through, *right.through) if not conversion_.is_float]
    lossy = {conversion_ for conversion_ in whole if not any(holds(conversion_, own) for own in types)}
    return part & Domain.where(
        where.space, [fits for conversion_ in lossy for fits in _range(left.affine, conversion_)]
    )


def _range(affine: Affine, type_: ScalarType) -> list[Constraint]:
    """Returns the conditions that a type holds the number. No index exceeds 64 bits."""
    high = 1 << (type_.bits - type_.signed)
    ends = [Constraint(affine + (high if type_.signed else 0)), Constraint(-affine + (high - 1))]
    return ends if type_.bits < 64 else ends[:1]


def is_conversion(term: Apply) -> bool:
    return term.operator == conversion(term.type)


def is_position(plain: Plain, facts: Facts) -> bool:
    """Returns True for a sum, a difference or a multiple of indices: conversion applies to the result."""
    index_affine = _index_of(plain, facts)
    return index_affine is not None and not index_affine.is_constant


def _index_of(plain: Plain, facts: Facts) -> Affine | None:
    node = plain.at.node
    match node:
        case Constant():
            return affine_of(literal(node.value))
        case IndexValue():
            return plain.at.affine(node.affine)
        case Unary() | Binary() | Nary():
            operands = [_index_of(child, facts) for child in plain.children]
            return fold_affine(operator_of(node)[0], operands, facts.types[node])
    return None
