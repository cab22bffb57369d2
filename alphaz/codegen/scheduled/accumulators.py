"""Accumulators: memory in which the contributions to the results of one loop are collected before they are merged."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.expressions import combiner
from alphaz.loops.modes import Reduction
from alphaz.loops.strides import product
from alphaz.mapping.statement import Statement
from alphaz.model.types import ScalarType
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer, IntegerConstant, as_affine

# The operators that parallel and vector loops combine, on truths and on numbers; the last one not on floats.
_COMBINED = frozenset({"+", "*", "min", "max", "and", "or", "xor"})


def is_combined(operator: str, type_: ScalarType) -> bool:
    """Returns True if a loop can combine the contributions of its iterations by this operator itself."""
    return operator in _COMBINED and not (operator == "xor" and type_.is_float)


@dataclass(frozen=True, slots=True)
class Accumulator:
    """The accumulators of a statement: one for each of its results in the loop, over their point."""

    statement: Statement
    operator: str
    array: FlatArray

    @property
    def is_scalar(self) -> bool:
        return all(extent == IntegerConstant(1) for extent in self.array.extents)

    @property
    def type(self) -> ScalarType:
        return self.array.type

    @property
    def by_clause(self) -> bool:
        """Returns True if a parallel loop combines the accumulators of its threads."""
        return self.is_scalar and is_combined(self.operator, self.type)

    @property
    def reduction(self) -> Reduction:
        return Reduction(combiner(self.operator, self.type), self.array.name)

    @property
    def size(self) -> Integer:
        """Returns the number of elements."""
        size: Integer = IntegerConstant(1)
        for extent in self.array.extents:
            size = product(size, extent)
        return size

    def element(self, point: Sequence[Affine]) -> c.Expression:
        return c.Name(self.array.name) if self.is_scalar else self.array.element(point)

    def about(self, at: Affine) -> c.About | None:
        """Returns the sum in the element at this offset from the first one; None where the elements are rows."""
        lower = [as_affine(each) for each in self.array.lower]
        first = [each for each in lower if each is not None]
        if len(first) < len(lower) or not (self.is_scalar or len(first) == 1):
            return None
        return c.About(self.statement.variable, tuple(each + at for each in first))

    def stride(self, point: Sequence[Affine], name: str) -> int | None:
        """Returns by how many elements the point's accumulator moves when the identifier grows by 1; None
        if unknown.
        """
        moves = [component.coefficient(name) for component in point]
        if self.is_scalar or not any(moves):
            return 0
        return None if any(moves[:-1]) else moves[-1]
