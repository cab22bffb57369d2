"""Mod factors: the moduli of the components of a memory map.

A factor is a number (0 is none), or an affine expression in the parameters that is positive for all of them: a rolling
buffer of N+2 cells.
"""

from collections.abc import Mapping, Sequence

from alphaz.poly import Affine, Domain, at_least, smallest_point
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, of_affine

Factor = int | Affine


def factor_of(affine: Affine) -> Factor:
    """Returns the factor as a number if the expression is constant."""
    return affine.constant if affine.is_constant else affine


def value_at(factor: Factor, parameters: Mapping[str, int]) -> int:
    return factor if isinstance(factor, int) else factor.at(parameters)


def is_parametric(factor: Factor) -> bool:
    return not isinstance(factor, int)


def of_factor(factor: Factor) -> Integer:
    """Returns the factor as an integer expression over the parameters."""
    return IntegerConstant(factor) if isinstance(factor, int) else of_affine(factor)


def factors_text(factors: Sequence[Factor]) -> str:
    """Returns `2,0,N+2`."""
    return ",".join(map(str, factors))


def not_positive(factor: Factor, context: Domain) -> dict[str, int] | None:
    """Returns the smallest parameters for which a parametric factor is not positive; None where there are none."""
    if isinstance(factor, int):
        return None
    return smallest_point(context & Domain.where(context.space, [at_least(-factor, 0)]))
