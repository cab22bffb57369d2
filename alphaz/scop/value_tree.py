"""Values of C expressions on data, as trees over the reads of a statement."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from alphaz.model.types import ScalarType
from alphaz.poly import Affine

CALL = "call "
"""Prefix of operators that call a function, before its name."""


@dataclass(frozen=True, slots=True)
class LiteralValue:
    """An exact number, or a named one (`INFINITY`)."""

    value: Fraction | str
    type: ScalarType


@dataclass(frozen=True, slots=True)
class IndexLeaf:
    """The value of an affine expression of iterators and parameters."""

    affine: Affine
    type: ScalarType


@dataclass(frozen=True, slots=True)
class ReadValue:
    """The contents of the cell `reads[number]` of the statement."""

    number: int
    type: ScalarType


@dataclass(frozen=True, slots=True)
class OperationValue:
    """An operator on values: + - * / % min max neg not and or xor if < <= == !=, `as T` or `call f`; `>` and `>=` are
    turned round.

    `type` is that in which C computes: for a comparison that of its operands. Integers are computed modulo 2^bits.
    """

    operator: str
    operands: "tuple[Tree, ...]"
    type: ScalarType


_LAZY = frozenset({"if", "and", "or"})
Tree = LiteralValue | IndexLeaf | ReadValue | OperationValue


Leaf = LiteralValue | IndexLeaf | ReadValue


def leaves_in(tree: Tree) -> Iterator[Leaf]:
    """Yields the operands of a value that are no operations, from left to right."""
    if isinstance(tree, OperationValue):
        for operand in tree.operands:
            yield from leaves_in(operand)
    else:
        yield tree


def reads_in(tree: Tree) -> Iterator[ReadValue]:
    return (leaf for leaf in leaves_in(tree) if isinstance(leaf, ReadValue))


def is_lazy(tree: Tree) -> bool:
    """Returns True if a part of the value that reads may not be computed, by data."""
    if not isinstance(tree, OperationValue):
        return False
    optional = tree.operands[1:] if tree.operator in _LAZY else ()
    return any(True for operand in optional for _ in reads_in(operand)) or any(map(is_lazy, tree.operands))


def may_divide_by_zero(tree: Tree) -> bool:
    """Returns True if an integer is divided by another one than a constant."""
    if not isinstance(tree, OperationValue):
        return False
    divides = tree.operator in ("/", "%") and not tree.type.is_float
    is_known = divides and isinstance(tree.operands[1], LiteralValue) and tree.operands[1].value != 0
    return (divides and not is_known) or any(map(may_divide_by_zero, tree.operands))


def is_certain_part(part: Tree, whole: Tree) -> bool:
    """Returns True if a value is computed whenever the whole one is."""
    if part == whole or not isinstance(whole, OperationValue):
        return part == whole
    certain = whole.operands[:1] if whole.operator in _LAZY else whole.operands
    return any(is_certain_part(part, operand) for operand in certain)


def chooses(tree: Tree) -> bool:
    """Returns True if a part of the value is a choice, or a part that reads may not be computed, by data."""
    if not isinstance(tree, OperationValue):
        return False
    return tree.operator == "if" or is_lazy(tree) or any(map(chooses, tree.operands))


def replace_reads(tree: Tree, change: Callable[[ReadValue], Tree]) -> Tree:
    """Returns the tree with its reads replaced."""
    match tree:
        case ReadValue():
            return change(tree)
        case OperationValue(operator, operands, type_):
            return OperationValue(operator, tuple(replace_reads(operand, change) for operand in operands), type_)
    return tree


def map_affine(tree: Tree, change: Callable[[Affine], Affine]) -> Tree:
    """Returns the tree with its affine leaves replaced."""
    match tree:
        case IndexLeaf(mapped, type_):
            return IndexLeaf(change(mapped), type_)
        case OperationValue(operator, operands, type_):
            return OperationValue(operator, tuple(map_affine(operand, change) for operand in operands), type_)
    return tree
