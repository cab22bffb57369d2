"""Values of real numbers that are written in programs: doubles and singles, each rounded once, without libraries."""

import math
from struct import Struct

from alphaz.model.types import DOUBLE, FLOAT, ScalarType

_SINGLE, _BITS = Struct("<f"), Struct("<i")


def single(value: float) -> float:
    """Returns the nearest single; infinite beyond the greatest."""
    try:
        rounded: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def nearest_single(text: str) -> float:
    """Returns the single nearest to a decimal number that is not negative; it is rounded only once."""
    near = single(float(text))
    if math.isinf(near):
        return near
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, decimals = mantissa.partition(".")
    shift = int(exponent or 0) - len(decimals)
    numerator, denominator = int(whole + decimals) * 10 ** max(shift, 0), 10 ** max(-shift, 0)

    def distance(candidate: float) -> tuple[int, bool]:
        """Returns the distance to the number, times `denominator` and 2 to the 149 (the inverse of the least single);
        of two nearest ones `near` comes first, which is even."""
        exact, unit = candidate.as_integer_ratio()
        return abs((exact * denominator << 149) // unit - (numerator << 149)), candidate != near

    (bits,) = _BITS.unpack(_SINGLE.pack(near))
    around: tuple[float, ...] = (near, *(_SINGLE.unpack(_BITS.pack(max(bits + step, 0)))[0] for step in (-1, 1)))
    return min((candidate for candidate in around if math.isfinite(candidate)), key=distance)


def real_type(text: str) -> ScalarType:
    """Returns the type of a literal of the language or of C: float if it ends with an `f`, as `0.1f` and `1.f` do, and
    is not `inf`.
    """
    return FLOAT if text.endswith("f") and not text.endswith("inf") else DOUBLE


def real_number(text: str) -> float:
    """Returns the value of a literal of the language or of C, or of `inf`: a double or a single."""
    return nearest_single(text[:-1]) if real_type(text) == FLOAT else float(text)
