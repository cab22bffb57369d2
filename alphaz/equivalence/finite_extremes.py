"""The largest finite floats of C as starting values of minima and maxima: infinities, if no value is one."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from alphaz.equivalence.value_graph import EquationValue, ReductionValue, ValueDefinition
from alphaz.equivalence.value_numbering import LATTICE
from alphaz.model.types import DOUBLE, FLOAT, ScalarType
from alphaz.poly import AffineFunction, Domain
from alphaz.scop.c_model import CKernel, KernelStatement
from alphaz.scop.tree_queries import FLOAT_LIMITS
from alphaz.scop.value_tree import LiteralValue, OperationValue, Tree

_LARGEST: Mapping[ScalarType, Fraction] = {FLOAT: FLOAT_LIMITS["FLT_MAX"][0], DOUBLE: FLOAT_LIMITS["DBL_MAX"][0]}
_ASSUMED = "no minimum or maximum is infinite, so `{}` may start it"


def has_extremes(kernel: CKernel) -> bool:
    """Returns True if a minimum or maximum may start from a largest finite float."""
    return any(any(_names_in(statement)) for statement in kernel.statements)


def with_infinities(kernel: CKernel, values: Mapping[str, EquationValue]) -> CKernel:
    """Returns the kernel with infinities for the largest finite floats that minima and maxima start from, which is
    assumed. Without numbers a minimum would be infinite: the kernel is not changed if one of the equations may be."""
    if any(map(_may_be_empty, values.values())):
        return kernel
    names = sorted({name for statement in kernel.statements for name in _names_in(statement)})
    changed = kernel.with_statements(_with_infinities)
    return replace(changed, assumed=(*kernel.assumed, *map(_ASSUMED.format, names)))


def _with_infinities(statement: KernelStatement) -> KernelStatement:
    return replace(statement, value=_infinite(statement.value, statement.target.array.type))


def _infinite(tree: Tree, type_: ScalarType) -> Tree:
    """Returns the tree, computed in a type, with its largest finite numbers replaced."""
    if isinstance(tree, LiteralValue) and _is_largest(tree, type_):
        infinity = LiteralValue("INFINITY", type_)
        return infinity if tree.value == _LARGEST[type_] else OperationValue("neg", (infinity,), type_)
    if isinstance(tree, OperationValue) and tree.operator in LATTICE:
        return replace(tree, operands=tuple(_infinite(operand, tree.type) for operand in tree.operands))
    return tree


def _names_in(statement: KernelStatement) -> Iterator[str]:
    return _extremes(statement.value, statement.target.array.type)


def _extremes(tree: Tree, type_: ScalarType) -> Iterator[str]:
    if isinstance(tree, LiteralValue) and _is_largest(tree, type_):
        yield "FLT_MAX" if type_ == FLOAT else "DBL_MAX"
    elif isinstance(tree, OperationValue) and tree.operator in LATTICE:
        for operand in tree.operands:
            yield from _extremes(operand, tree.type)


def _is_largest(literal: LiteralValue, type_: ScalarType) -> bool:
    return isinstance(literal.value, Fraction) and abs(literal.value) == _LARGEST.get(type_)


def _may_be_empty(value: EquationValue) -> bool:
    """Returns True if a minimum or maximum of the equations may have no terms."""
    return any(_has_empty(value, definition) for definition in value.definitions)


def _has_empty(value: EquationValue, definition: ValueDefinition) -> bool:
    sum_ = definition.sum
    if sum_ is None or sum_.operator not in LATTICE or not value.type.is_float:
        return False
    return not definition.region.domain.is_subset(_nonempty(sum_, definition.region.domain))


def _nonempty(sum_: ReductionValue, domain: Domain) -> Domain:
    """Returns the points that have terms."""
    points = Domain.empty(domain.space)
    for item in sum_.items:
        region = item.region.domain
        points = points | region.image(AffineFunction(region.space, item.projection), domain.space.names)
    return points
