"""Values of literals: singles are rounded once, also where the nearest double lies between two singles."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from alphaz.model.real_numbers import nearest_single, real_number


def nearest(text: str) -> float:
    """Returns the nearest single, by comparison of all candidates around."""
    exact = Fraction(text)
    near = np.float32(text)
    around = (near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf)))
    return min((float(candidate) for candidate in around), key=lambda candidate: abs(Fraction(candidate) - exact))


def between_two_singles(random: Random) -> str:
    low = np.float32(random.random() * 2.0 ** random.randrange(-140, 20))
    middle = (Fraction(float(low)) + Fraction(float(np.nextafter(low, np.float32(np.inf))))) / 2
    digits = middle.denominator.bit_length() - 1
    return f"{middle.numerator * 5**digits}e-{digits}"


@pytest.mark.parametrize("seed", range(3))
def test_a_single_is_the_nearest(seed: int) -> None:
    random = Random(seed)
    for _ in range(500):
        text = f"{random.randrange(10 ** random.randrange(1, 9))}.{random.randrange(10 ** random.randrange(1, 25))}"
        assert nearest_single(text) == nearest(text), text
        middle = between_two_singles(random)
        assert nearest_single(middle) == nearest(middle), middle
        digits, _, exponent = middle.partition("e")
        above = f"{digits}0000001e{int(exponent) - 7}"
        assert nearest_single(above) == nearest(above), above


def test_an_end_of_f_is_a_single() -> None:
    assert real_number("0.1") == 0.1
    assert real_number("0.1f") == float(np.float32(0.1)) != 0.1
    assert real_number("inf") == nearest_single("1e39") == float("inf")
    assert nearest_single("1e-60") == 0.0
