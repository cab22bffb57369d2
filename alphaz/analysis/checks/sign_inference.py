"""The sign of integer values, as far as types, literals and the domains of index values show it."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.analysis.checks.parts_without_effect import is_empty
from alphaz.model.expression import Access, Binary, Call, Constant, Expression, If, IndexValue, Nary, Reduce, Unary
from alphaz.model.types import ScalarType
from alphaz.model.walk import children
from alphaz.poly import Affine, Domain, at_least


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """The types of expressions, and the domains on which they are needed (none where these are not known)."""

    types: Mapping[Expression, ScalarType]
    needs: Mapping[Expression, Domain]

    def may_be_negative(self, node: Expression) -> bool:
        """Returns True unless the value, computed without a limit of bits, is known to be zero or more.

        Index values whose domain is not known count as zero or more."""
        index = _index_value(node)
        if index is not None:
            return self._is_negative_somewhere(index, node)
        match node:
            case Access() | Call():
                return self.types[node].signed
            case If():
                return self.may_be_negative(node.then) or self.may_be_negative(node.otherwise)
            case Unary(operator="-") | Binary(operator="-"):
                return True
            case Binary(operator="%"):
                return self.may_be_negative(node.left)
            case Binary(operator="max") | Nary(operator="max"):
                return all(map(self.may_be_negative, children(node)))
            case Reduce() if node.operator not in ("+", "*", "min", "max"):
                return self.types[node].signed
        # Conditions are of type bool.
        return self.types[node].kind != "bool" and any(map(self.may_be_negative, children(node)))

    def _is_negative_somewhere(self, index: Affine, node: Expression) -> bool:
        if index.is_constant:
            return index.constant < 0
        needed = self.needs.get(node)
        return needed is not None and not is_empty(needed & Domain.where(needed.space, [at_least(index * -1, 1)]))


def _index_value(node: Expression) -> Affine | None:
    """Returns the value of literals and index values, their sums and differences."""
    match node:
        case IndexValue():
            return node.affine
        case Constant(value=int(value)):
            return Affine.of(constant=value)
        case Unary(operator="-"):
            operand = _index_value(node.operand)
            return None if operand is None else operand * -1
        case Binary(operator="+" | "-"):
            left, right = _index_value(node.left), _index_value(node.right)
            if left is None or right is None:
                return None
            return left + right * (1 if node.operator == "+" else -1)
    return None
