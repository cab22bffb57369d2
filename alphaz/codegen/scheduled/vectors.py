"""Vectors: several neighbouring values as one value of C, by the vector types that gcc and clang have.

A vector of n elements has the operators + - * / of its elements, with numbers too, and no conversions.
"""

from collections.abc import Iterator, Sequence

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.expressions import Value
from alphaz.codegen.scheduled.buffers import Buffer
from alphaz.codegen.scheduled.lowering import ScheduledLowering
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Expression
from alphaz.model.types import DOUBLE, FLOAT, ScalarType
from alphaz.poly import Affine

# The registers of most machines; where they are shorter, a vector is two or four of them.
_BYTES = 32


class NoVector(Exception):
    """The expression has no vector form."""


def lanes(type_: ScalarType) -> int:
    """How many elements a vector has; 0 for types without vectors."""
    return _BYTES * 8 // type_.bits if type_ in (DOUBLE, FLOAT) else 0


def vector_type(type_: ScalarType) -> str:
    """`double4`."""
    return f"{type_.c_name}{lanes(type_)}"


def definition(type_: ScalarType) -> str:
    """The type itself: it may stand wherever its elements may."""
    attributes = f"vector_size({_BYTES}), aligned(sizeof({type_.c_name})), may_alias"
    return (
        f"/* {lanes(type_)} neighbouring values. */\n"
        f"typedef {type_.c_name} {vector_type(type_)} __attribute__(({attributes}));\n"
    )


class VectorLowering(ScheduledLowering):
    """Every value that varies along `lane` is a vector of the elements from there on."""

    lane = ""
    type: ScalarType = DOUBLE

    def element(self, variable: str, point: Sequence[Affine]) -> c.Expression:
        place = self._storage.places[variable]
        if self._mapping.system.variable(variable).type != self.type:
            raise NoVector
        code = super().element(variable, self._first(point))
        return self._vector(code, place.stride(point, self.lane), place.array.is_constant)

    def collected(self, statement: Statement, point: Sequence[Affine]) -> c.Expression:
        place = self.accumulators.get(statement.name)
        if place is None:
            return super().collected(statement, point)
        return self._vector(place.element(self._first(point)), place.stride(point, self.lane), False)

    def packed_element(self, buffer: Buffer, point: Sequence[Affine]) -> c.Expression:
        if buffer.array.type != self.type:
            raise NoVector
        return self._vector(super().packed_element(buffer, self._first(point)), buffer.stride(point, self.lane), True)

    def _first(self, point: Sequence[Affine]) -> list[Affine]:
        return [component.substitute({self.lane: Affine()}) for component in point]

    def _vector(self, code: c.Expression, stride: int | None, is_constant: bool) -> c.Expression:
        """The elements from this one on, one for each lane; the element itself where it is the same for all."""
        if stride == 0:
            return code
        if stride != 1:
            raise NoVector
        const = "const " if is_constant else ""
        return c.Unary("*", c.Cast(f"{const}{vector_type(self.type)} *", c.Unary("&", code)))

    def _index_value(self, node: Expression, index: Affine) -> Value:
        raise NoVector


def parts(code: c.Expression) -> Iterator[c.Expression]:
    """The operands of the value, without addresses."""
    yield code
    match code:
        case c.Binary(_, left, right):
            yield from parts(left)
            yield from parts(right)
        case c.Unary("-", operand):
            yield from parts(operand)


def has_vector_form(code: c.Expression) -> bool:
    """Whether there are only operators that vectors have."""
    return all(_is_known(each) for each in parts(code))


def _is_known(code: c.Expression) -> bool:
    match code:
        case c.Binary("+" | "-" | "*" | "/") | c.Unary("-") | c.Literal() | c.Name() | c.Index():
            return True
        case c.Ternary():
            return not any(isinstance(each, c.Cast) for each in c.subexpressions(code))
    return is_element(code)


def is_element(code: c.Expression) -> bool:
    """Whether it is a vector in memory, or a scalar behind a pointer."""
    return isinstance(code, c.Unary) and code.operator == "*"


def is_vector(code: c.Expression) -> bool:
    """Whether some operand is a vector in memory."""
    return any(isinstance(each, c.Unary) and isinstance(each.operand, c.Cast) for each in parts(code))


def broadcast(value: c.Expression, type_: ScalarType) -> c.Expression:
    """A vector of which every element has this value."""
    return c.Binary("+", c.Initializer(vector_type(type_), (c.Literal("0"),)), value)
