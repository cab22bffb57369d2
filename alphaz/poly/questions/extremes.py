"""The least and the greatest value of an affine expression on a set, whatever the parameters."""

from alphaz.poly.domain import Domain
from alphaz.poly.engine import multi_affine
from alphaz.poly.plain.affine import Affine


def extremes(domain: Domain, affine: Affine) -> tuple[int, int] | None:
    """None where the set has no point, or where one of the two has no bound."""
    low, high = least(domain, affine), least(domain, -affine)
    return None if low is None or high is None else (low, -high)


def least(domain: Domain, affine: Affine) -> int | None:
    """None where the set has no point, or where there is no least value."""
    if domain.is_empty():
        return None
    value = domain.set.min_val(multi_affine(domain.space, [affine]).get_at(0))
    return int(value.to_python()) if value.is_int() else None
