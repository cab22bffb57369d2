"""Mod factors: what a component of a memory map is taken modulo.

A number (0 is none), or an affine expression in the parameters that is positive for all of them: a rolling buffer of
N+2 cells.
"""

from collections.abc import Mapping, Sequence

from alphaz.poly import Affine, Domain, at_least, smallest_point
from alphaz.poly.plain.integer import Integer, IntegerConstant, of_affine

Factor = int | Affine


def factor_of(affine: Affine) -> Factor:
    """A number where it is one."""
    return affine.constant if affine.is_constant else affine


def value_at(factor: Factor, parameters: Mapping[str, int]) -> int:
    return factor if isinstance(factor, int) else factor.at(parameters)


def is_parametric(factor: Factor) -> bool:
    return not isinstance(factor, int)


def of_factor(factor: Factor) -> Integer:
    """As an integer expression over the parameters."""
    return IntegerConstant(factor) if isinstance(factor, int) else of_affine(factor)


def factors_text(factors: Sequence[Factor]) -> str:
    """`2,0,N+2`."""
    return ",".join(map(str, factors))


def not_positive(factor: Factor, context: Domain) -> dict[str, int] | None:
    """Parameters for which a parametric factor is not positive: the smallest. None where there are none."""
    if isinstance(factor, int):
        return None
    return smallest_point(context & Domain.where(context.space, [at_least(-factor, 0)]))
