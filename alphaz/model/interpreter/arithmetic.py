"""C's arithmetic on Python numbers (C11 6.3.1 and 6.5, two's complement), called by generated Python text.

An integer is a Python int inside the range of its type; a double is a Python float; a float is a Python float that a
single holds exactly; a bool is False or True (or 0 or 1). Choices where C leaves the result undefined:

* signed overflow wraps around (generated C adds and multiplies unsigned integers, which do), and so does the least
  value divided by -1;
* division and remainder by the integer zero stop the program;
* the conversion of a float to an integer type that cannot hold its whole part stops the program.

`min(a, b)` is `a < b ? a : b`, and `max(a, b)` is `a > b ? a : b`, for floats too."""

import math
from collections.abc import Callable

import numpy as np

from alphaz.model.real_numbers import single
from alphaz.model.types import ScalarType


class Stop(Exception):
    """The computed value is undefined in C; the message has the reason."""


def single_of_integer(value: int) -> float:
    """Returns the nearest single with one rounding, not two: a 64-bit integer need not be exact as a double."""
    if -(1 << 53) <= value <= 1 << 53:
        return single(float(value))
    return float(np.float32(np.uint64(value) if value >= 1 << 63 else np.int64(value)))


def integer_range(type_: ScalarType) -> tuple[int, int]:
    """Returns the least and the greatest value of an integer type (or bool)."""
    if type_.signed:
        return -(1 << (type_.bits - 1)), (1 << (type_.bits - 1)) - 1
    return 0, (1 << type_.bits) - 1


def wrap_integer(value: int, type_: ScalarType) -> int:
    """Returns the value modulo 2^bits, in the range of the type."""
    least, _ = integer_range(type_)
    return ((value - least) & ((1 << type_.bits) - 1)) + least


def truncated(value: float, type_: ScalarType) -> int:
    """Returns a float rounded towards zero. Raises Stop if the type cannot hold it."""
    if not math.isfinite(value):
        raise Stop(f"{value} has no value as {type_}")
    whole = math.trunc(value)
    least, greatest = integer_range(type_)
    if not least <= whole <= greatest:
        raise Stop(f"{value!r} does not fit into {type_}")
    return whole


def quotient(left: int, right: int) -> int:
    """Returns the quotient, rounded towards zero (C11 6.5.5)."""
    if right == 0:
        raise Stop("division by zero")
    return left // right if (left < 0) == (right < 0) else -(-left // right)


def remainder(left: int, right: int) -> int:
    """Returns the remainder, with the sign of `left` (C11 6.5.5)."""
    if right == 0:
        raise Stop("remainder by zero")
    return left % abs(right) if left >= 0 else -(-left % abs(right))


def float_quotient(left: float, right: float) -> float:
    """Returns the IEEE 754 quotient: division by zero is infinite or NaN."""
    if right != 0.0:
        return left / right
    if left == 0.0 or left != left:
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def float_remainder(left: float, right: float) -> float:
    """Returns C's fmod."""
    if right == 0.0 or not math.isfinite(left):
        return math.nan
    return math.fmod(left, right)


def from_python(value: object, type_: ScalarType) -> int | float:
    """Returns the result of a Python function as a value of `type_`. Raises Stop if it is not a number."""
    try:
        if type_.is_float:
            result = float(value)  # type: ignore[arg-type]
            return single(result) if type_.bits == 32 else result
        if type_.kind == "bool":
            return bool(value)
        if isinstance(value, float | np.floating):
            return truncated(float(value), type_)
        return wrap_integer(int(value), type_)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise Stop(f"{value!r} is no value of type {type_}") from None


NAMES: dict[str, Callable[..., object]] = {
    "single": single,
    "single_of_integer": single_of_integer,
    "truncated": truncated,
    "quotient": quotient,
    "remainder": remainder,
    "float_quotient": float_quotient,
    "float_remainder": float_remainder,
}
