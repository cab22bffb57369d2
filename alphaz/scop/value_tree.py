"""The values of C expressions on data, as trees: what a statement computes from what it reads."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from alphaz.model.types import ScalarType
from alphaz.poly import Affine

CALL = "call "
"""What the operators of functions begin with, before their names."""


@dataclass(frozen=True, slots=True)
class LiteralValue:
    """A number, exactly; or by name (`INFINITY`)."""

    value: Fraction | str
    type: ScalarType


@dataclass(frozen=True, slots=True)
class IndexLeaf:
    """The value of an affine expression of iterators and parameters."""

    affine: Affine
    type: ScalarType


@dataclass(frozen=True, slots=True)
class ReadValue:
    """What is in the cell that is `reads[number]` of the statement."""

    number: int
    type: ScalarType


@dataclass(frozen=True, slots=True)
class OperationValue:
    """An operator on values: + - * / % min max neg not and or xor if < <= == !=, `as T` or `call f`; `>` and `>=` are
    turned.

    `type` is that in which C computes: of a comparison that of its operands. Of integers that is modulo 2^bits.
    """

    operator: str
    operands: "tuple[Tree, ...]"
    type: ScalarType


Tree = LiteralValue | IndexLeaf | ReadValue | OperationValue


def reads_in(tree: Tree) -> Iterator[ReadValue]:
    if isinstance(tree, ReadValue):
        yield tree
    elif isinstance(tree, OperationValue):
        for operand in tree.operands:
            yield from reads_in(operand)


def replace_reads(tree: Tree, change: Callable[[ReadValue], Tree]) -> Tree:
    """The tree with other leaves where it reads."""
    match tree:
        case ReadValue():
            return change(tree)
        case OperationValue(operator, operands, type_):
            return OperationValue(operator, tuple(replace_reads(operand, change) for operand in operands), type_)
    return tree


def map_affine(tree: Tree, change: Callable[[Affine], Affine]) -> Tree:
    """The tree with other affine expressions in its leaves."""
    match tree:
        case IndexLeaf(found, type_):
            return IndexLeaf(change(found), type_)
        case OperationValue(operator, operands, type_):
            return OperationValue(operator, tuple(map_affine(operand, change) for operand in operands), type_)
    return tree
