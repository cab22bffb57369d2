"""Names of values: numbers, the same for what is made in the same way."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from alphaz.model.types import ScalarType

Total = int
"""What is combined, in any order: the sum of a weight for each operand, or one bit for each that is among them."""

COMMUTATIVE = frozenset({"+", "*", "min", "max", "and", "or", "xor", "==", "!="})
# In any parentheses the least and the greatest of several numbers are the same number.
LATTICE = frozenset({"min", "max"})
# Combined twice they are the same as once.
IDEMPOTENT = frozenset({"min", "max", "and", "or"})
# Sums are told apart by numbers modulo a prime, so that these can be divided as well.
_PRIME = (1 << 61) - 1


@dataclass(slots=True)
class Names:
    """Numbers for values: the same number for what is made in the same way.

    `is_real`: for what is the same function of the inputs, computed with real numbers. Each value has a weight; that of
    a sum is the sum of those of its parts, that of a product their product. So two polynomials have one weight if they
    are the same at a random point, modulo a prime.
    """

    known: dict[object, int] = field(default_factory=dict)
    weights: dict[int, int] = field(default_factory=dict)
    bits: dict[int, int] = field(default_factory=dict)
    # Of what was regrouped, all that is combined in it.
    inside: dict[tuple[str, int], Total] = field(default_factory=dict)
    # Operators whose operands may be put in parentheses in any way.
    regroups: frozenset[str] = frozenset()
    is_real: bool = False
    random: Random = field(default_factory=lambda: Random(20))

    def name(self, made: object) -> int:
        return self.known.setdefault(made, len(self.known))

    def weight(self, name: int) -> int:
        """A large random number for each name: sums of them tell sums apart."""
        if name not in self.weights:
            self.weights[name] = self.random.randrange(_PRIME)
            self.known.setdefault(("weight", self.weights[name]), name)
        return self.weights[name]

    def weighing(self, weight: int) -> int:
        """The value of this weight."""
        found = self.name(("weight", weight))
        self.weights.setdefault(found, weight)
        return found

    def constant(self, value: Fraction | str) -> int:
        if self.is_real and isinstance(value, Fraction):
            return self.weighing(value.numerator * pow(value.denominator, -1, _PRIME) % _PRIME)
        return self.name(("constant", value))

    def applied(self, operator: str, operands: Sequence[int], type_: ScalarType) -> int:
        if self.is_real and (weight := self._computed(operator, [*map(self.weight, operands)], type_)) is not None:
            return self.weighing(weight)
        if operator in self.regroups:
            total: Total = 0
            for each in operands:
                known = self.inside.get((operator, each))
                total = combined(operator, total, self.single(operator, each) if known is None else known)
            found = self.name(("all", operator, total))
            self.inside[operator, found] = total
            return found
        return self.name((operator, tuple(sorted(operands)) if operator in COMMUTATIVE else tuple(operands)))

    def _computed(self, operator: str, weights: Sequence[int], type_: ScalarType) -> int | None:
        match operator, weights:
            case "+", [left, right]:
                return (left + right) % _PRIME
            case "-", [left, right]:
                return (left - right) % _PRIME
            case "neg", [only]:
                return -only % _PRIME
            case "*", [left, right]:
                return left * right % _PRIME
            case "/", [left, right] if type_.is_float and right:
                return left * pow(right, -1, _PRIME) % _PRIME
        return None

    def summed(self, operator: str, total: Total) -> int:
        """The value of a sum."""
        return self.weighing(total) if self.is_real and operator == "+" else self.name(("sum", operator, total))

    def single(self, operator: str, name: int) -> Total:
        """One value as a sum of itself."""
        if operator in IDEMPOTENT:
            return 1 << self.bits.setdefault(name, len(self.bits))
        return self.weight(name)


def combined(operator: str, left: Total, right: Total, sign: int = 1) -> Total:
    return left | right if operator in IDEMPOTENT else (left + sign * right) % _PRIME
