"""The scalar types of the language: those of C on a 64-bit machine (LP64)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A scalar type: `name` in the language, `c_name` in C, `numpy` in NumPy; `bits` is the width.

    `kind` is "bool", "int" or "float". Integers wrap around at their width; a bool is 0 or 1."""

    name: str
    c_name: str
    numpy: str
    kind: str
    bits: int
    signed: bool = True

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def bytes(self) -> int:
        """Returns the bytes of an element of an array."""
        return max(1, self.bits // 8)

    @property
    def is_char(self) -> bool:
        """Returns True for types whose values may be given as letters."""
        return self.kind == "int" and self.bits == 8

    @property
    def rank(self) -> int:
        """Returns C's conversion rank, with char below short below int below long below long long."""
        return _RANKS.index(self.name.removeprefix("unsigned "))

    def __str__(self) -> str:
        return self.name


_RANKS = ("bool", "char", "short", "int", "long", "longlong", "float", "double")


def _integers(name: str, c_name: str, bits: int) -> tuple[ScalarType, ScalarType]:
    signed = ScalarType(
        name=name, c_name="signed char" if name == "char" else c_name, numpy=f"int{bits}", kind="int", bits=bits
    )
    return signed, ScalarType(
        name=f"unsigned {name}", c_name=f"unsigned {c_name}", numpy=f"uint{bits}", kind="int", bits=bits, signed=False
    )


BOOL = ScalarType(name="bool", c_name="bool", numpy="bool", kind="bool", bits=1, signed=False)
CHAR, UNSIGNED_CHAR = _integers("char", "char", 8)
SHORT, UNSIGNED_SHORT = _integers("short", "short", 16)
INT, UNSIGNED_INT = _integers("int", "int", 32)
LONG, UNSIGNED_LONG = _integers("long", "long", 64)
LONGLONG, UNSIGNED_LONGLONG = _integers("longlong", "long long", 64)
FLOAT = ScalarType(name="float", c_name="float", numpy="float32", kind="float", bits=32)
DOUBLE = ScalarType(name="double", c_name="double", numpy="float64", kind="float", bits=64)

SCALAR_TYPES: dict[str, ScalarType] = {
    t.name: t
    for t in (
        BOOL, CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT, INT, UNSIGNED_INT, LONG, UNSIGNED_LONG, LONGLONG,
        UNSIGNED_LONGLONG, FLOAT, DOUBLE,
    )
}  # fmt: skip


def promoted(type_: ScalarType) -> ScalarType:
    """Returns the type after C's integer promotion: types narrower than int become int."""
    return INT if not type_.is_float and type_.rank < INT.rank else type_


def common_type(left: ScalarType, right: ScalarType) -> ScalarType:
    """Returns the type in which a binary operator works: C's usual arithmetic conversions (C11 6.3.1.8)."""
    left, right = promoted(left), promoted(right)
    if left.is_float or right.is_float:
        return max((left, right), key=lambda t: t.rank)
    high, low = (left, right) if left.rank >= right.rank else (right, left)
    if high.signed == low.signed or not high.signed:
        return high
    if low.rank == high.rank:
        return low
    return high if high.bits > low.bits else SCALAR_TYPES[f"unsigned {high.name}"]


def is_converted_first(operator: str, total: ScalarType, contribution: ScalarType) -> bool:
    """Returns True if a reduction converts contributions to the type of its accumulator before it combines them.

    Otherwise the order of contributions would matter: a value that the accumulator cannot hold would be the greatest of
    all, or not; a sum of 0.5 and 0.5 in an integer would be 0 or 1. Sums of integers are the same modulo 2^bits either
    way."""
    return operator in ("min", "max") or (not total.is_float and total.kind != contribution.kind)
