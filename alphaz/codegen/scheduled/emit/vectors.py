"""Vectors: several neighbouring values as one value of C, by the vector types of gcc and clang.

A vector of n elements has the operators + - * / of its elements, also with numbers, and no conversions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.codegen.c.expressions import CValue
from alphaz.codegen.scheduled.memory.emit_context import OperandCells
from alphaz.machine import Vectors
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Access, Expression
from alphaz.model.types import DOUBLE, FLOAT, ScalarType
from alphaz.poly import Affine

# The shortest vectors that are used; shorter ones are left to the compiler.
_WORTH = 32


class NoVector(Exception):
    """The expression has no vector form."""


@dataclass(frozen=True, slots=True)
class VectorType:
    """A vector of `lanes` values of a type, such as `double4`."""

    element: ScalarType
    lanes: int

    @property
    def name(self) -> str:
        return f"{self.element.c_name}{self.lanes}"

    @property
    def type(self) -> c.Named:
        return c.Named(self.name)

    @property
    def definition(self) -> str:
        """Returns the definition; a vector may stand wherever its elements may."""
        size = self.lanes * self.element.bits // 8
        attributes = f"vector_size({size}), aligned(sizeof({self.element.c_name})), may_alias"
        return (
            f"/* {self.lanes} neighbouring values. */\n"
            f"typedef {self.element.c_name} {self.name} __attribute__(({attributes}));\n"
        )


def vector_of(type_: ScalarType, count: int, most: Vectors) -> VectorType | None:
    """Returns the longest vector whose length divides the number of values; None where no vector is long enough."""
    size = most.bytes if type_ in (DOUBLE, FLOAT) else 0
    while size > _WORTH and count * type_.bits // 8 % size:
        size //= 2
    lanes = size * 8 // type_.bits
    return VectorType(type_, lanes) if lanes and count % lanes == 0 else None


def vector_types(body: Sequence[c.Statement], longest: Vectors) -> list[VectorType]:
    """Returns the types of the vectors that a function uses."""
    sizes = [longest.bytes >> position for position in range(longest.bytes.bit_length())]
    every = [VectorType(t, size * 8 // t.bits) for t in (DOUBLE, FLOAT) for size in sizes if size * 8 > t.bits]
    used = c.types_used(body)
    return sorted((type_ for type_ in every if type_.name in used), key=lambda type_: type_.name)


@dataclass(frozen=True, slots=True)
class VectorCells(OperandCells):
    """The cells as vectors along `lane`: values that vary there are vectors. Its methods raise NoVector."""

    lane: str
    vector: VectorType

    @staticmethod
    def of(cells: OperandCells, lane: str, vector: VectorType) -> "VectorCells":
        return VectorCells(
            mapping=cells.mapping,
            storage=cells.storage,
            parameters=cells.parameters,
            around=cells.around,
            buffers=cells.buffers,
            lane=lane,
            vector=vector,
        )

    def element(self, variable: str, point: Sequence[Affine]) -> c.Expression:
        place = self.storage.places[variable]
        if self.mapping.system.variable(variable).type != self.vector.element:
            raise NoVector
        code = place.element(self._first(point), self.parameters)
        return self._vector(code, place.stride(point, self.lane), place.array.is_constant)

    def read(self, access: Access, point: Sequence[Affine]) -> c.Expression:
        if self.storage.places[access.variable].is_chosen(access):
            raise NoVector
        return self.element(access.variable, point)

    def collected(self, statement: Statement, point: Sequence[Affine]) -> c.Expression:
        place = self.around.accumulators.get(statement.name)
        if place is None:
            return self.element(statement.variable, point)
        return self._vector(place.element(self._first(point)), place.stride(point, self.lane), False)

    def packed(self, node: Expression, point: Sequence[Affine]) -> c.Expression:
        buffer = self.buffers[node]
        if buffer.array.type != self.vector.element:
            raise NoVector
        return self._vector(buffer.element(self._first(point)), buffer.stride(point, self.lane), True)

    def index(self, value: CValue) -> CValue:
        raise NoVector

    def _first(self, point: Sequence[Affine]) -> list[Affine]:
        return [component.substitute({self.lane: Affine()}) for component in point]

    def _vector(self, code: c.Expression, stride: int | None, is_constant: bool) -> c.Expression:
        """Returns the elements from this one on, one for each lane; the element itself where it is the same for all."""
        if stride == 0:
            return code
        if stride != 1:
            raise NoVector
        type_ = c.Named(self.vector.name, const=is_constant)
        return c.Unary("*", c.Cast(c.Pointer(type_), c.Unary("&", code)))


def value_operands(code: c.Expression) -> Iterator[c.Expression]:
    """Yields the operands of the value, without addresses."""
    yield code
    match code:
        case c.Binary(_, left, right):
            yield from value_operands(left)
            yield from value_operands(right)
        case c.Unary("-", operand):
            yield from value_operands(operand)


def has_vector_form(code: c.Expression) -> bool:
    """Returns True if all operators of the value exist for vectors."""
    return all(_is_known(part) for part in value_operands(code))


def _is_known(code: c.Expression) -> bool:
    match code:
        case c.Binary("+" | "-" | "*" | "/") | c.Unary("-") | c.Literal() | c.Name() | c.Index():
            return True
        case c.Ternary():
            return not any(isinstance(subexpression, c.Cast) for subexpression in c.subexpressions(code))
    return is_element(code)


def is_element(code: c.Expression) -> bool:
    """Returns True for a vector in memory, or a scalar accessed through a pointer."""
    return isinstance(code, c.Unary) and code.operator == "*"


def is_vector(code: c.Expression) -> bool:
    """Returns True if some operand is a vector in memory."""
    return any(isinstance(part, c.Unary) and isinstance(part.operand, c.Cast) for part in value_operands(code))


def broadcast(value: c.Expression, vector: VectorType) -> c.Expression:
    """Returns a vector of which every element has this value."""
    return c.Binary("+", c.compound(vector.type, c.ZERO), value)
