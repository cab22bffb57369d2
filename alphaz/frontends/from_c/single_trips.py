"""Loops that have one iteration, as `for (r = 0; r < 1; r++)`: the values of a kernel need no index for them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from alphaz.poly import Affine, Constraint, Domain
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelLoop, KernelStatement, LoopKind
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, Tree


def without_single_trips(kernel: CKernel) -> CKernel:
    """Returns the kernel without its sequential loops of one iteration."""
    loops = [part for statement in kernel.statements for part in statement.date if isinstance(part, KernelLoop)]
    for loop in dict.fromkeys(loops):
        inside = [statement for statement in kernel.statements if loop in statement.date]
        value = _only_value(kernel, loop, inside)
        if value is not None:
            statements = tuple(_folded(s, loop, value) if s in inside else s for s in kernel.statements)
            kernel = replace(kernel, statements=statements)
    return kernel


def _only_value(kernel: CKernel, loop: KernelLoop, inside: Sequence[KernelStatement]) -> Affine | None:
    """Returns the one value of the iterator in terms of outer ones; None if a statement is executed for several."""
    is_plain = loop.kind is LoopKind.SEQUENTIAL and not any(
        s.share or s.block or s.write.mutex or loop in s.write.reductions for s in inside
    )
    return next((v for v in _bounds(kernel, loop, inside[0]) if _is_only(v, loop, inside)), None) if is_plain else None


def _is_only(value: Affine, loop: KernelLoop, inside: Sequence[KernelStatement]) -> bool:
    more = Affine.name(loop.iterator) - value
    others = [Constraint(more - 1)], [Constraint(-more - 1)]
    return all((statement.domain & Domain.where(statement.space, *others)).is_empty() for statement in inside)


def _bounds(kernel: CKernel, loop: KernelLoop, statement: KernelStatement) -> Iterator[Affine]:
    """Yields the bounds of the iterator that are affine in outer iterators and parameters."""
    before = statement.date[: statement.date.index(loop)]
    outer = {*kernel.parameters, *(part.iterator for part in before if isinstance(part, KernelLoop))}
    for condition in statement.conditions:
        for constraint in condition[0] if len(condition) == 1 else ():
            factor = constraint.affine.coefficient(loop.iterator)
            bound = Affine.name(loop.iterator) - constraint.affine * factor
            if abs(factor) == 1 and outer.issuperset(bound.names):
                yield bound


def _folded(statement: KernelStatement, loop: KernelLoop, value: Affine) -> KernelStatement:
    """Returns the statement with the value for the iterator of the loop. A constant takes the place of the loop in the
    date, which orders nothing."""
    values = {loop.iterator: value}
    rest = tuple(name for name in statement.space.names if name != loop.iterator)
    return replace(
        statement,
        iterators=tuple(name for name in statement.iterators if name != loop.iterator),
        conditions=tuple(
            tuple(tuple(c.substitute(values) for c in conjunction) for conjunction in condition)
            for condition in statement.conditions
        ),
        domain=statement.domain.onto(rest),
        date=tuple(0 if part is loop else part for part in statement.date),
        target=_access(statement.target, values),
        reads=tuple(_access(read, values) for read in statement.reads),
        value=_value(statement.value, values),
    )


def _access(access: ArrayAccess, values: dict[str, Affine]) -> ArrayAccess:
    return replace(access, subscripts=tuple(subscript.substitute(values) for subscript in access.subscripts))


def _value(tree: Tree, values: dict[str, Affine]) -> Tree:
    match tree:
        case IndexLeaf(affine, type_):
            affine_value = affine.substitute(values)
            is_new = affine_value.is_constant and not affine.is_constant
            return LiteralValue(Fraction(affine_value.constant), type_) if is_new else IndexLeaf(affine_value, type_)
        case OperationValue():
            return replace(tree, operands=tuple(_value(operand, values) for operand in tree.operands))
    return tree
