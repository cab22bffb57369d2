"""Refuses integer divisions whose result is unused and whose divisor may be 0.

A quotient that a claim is about has the operands of the equations. What C computes and never uses has no claim, and
none of the obligations asks about it; a division by 0 there is undefined all the same.
"""

from alphaz.equivalence.claims import Claims
from alphaz.equivalence.value_graph import operations_in
from alphaz.poly import Constraint, Domain
from alphaz.scop.c_model import CKernel, KernelStatement
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import IndexLeaf, LiteralValue


def check_unused_quotients(kernel: CKernel, claims: Claims) -> None:
    """Raises Rejected for an integer division by what may be 0, in a statement that no claim is about."""
    claimed = {claim.statement.name for claim in claims.values}
    claimed |= {contribution.statement.name for contribution in claims.contributions}
    for statement in kernel.statements:
        if statement.name not in claimed and _may_divide_by_zero(statement):
            message = "an integer is divided by what may be 0, and the equations have no such value"
            raise outside(statement.span, message, "remove the division, or divide by a constant")


def _may_divide_by_zero(statement: KernelStatement) -> bool:
    return any(
        not _is_nonzero(statement, operation.operands[1])
        for operation in operations_in(statement.value)
        if operation.operator in ("/", "%") and not operation.type.is_float
    )


def _is_nonzero(statement: KernelStatement, divisor: object) -> bool:
    match divisor:
        case LiteralValue(value):
            return value != 0
        case IndexLeaf(affine):
            return (statement.domain & Domain.where(statement.space, [Constraint(affine, True)])).is_empty()
    return False
