"""The least and the greatest value of an affine expression on a set without parameters."""

from alphaz.poly.domain import Domain
from alphaz.poly.engine import multi_affine
from alphaz.poly.plain.affine import Affine


def extremes(domain: Domain, affine: Affine) -> tuple[int, int] | None:
    """Over all points of the set, whatever its parameters; None where it has none, or where a value has no bound."""
    if domain.is_empty():
        return None
    value = multi_affine(domain.space, [affine]).get_at(0)
    least, greatest = domain.set.min_val(value), domain.set.max_val(value)
    return (int(least.to_python()), int(greatest.to_python())) if least.is_int() and greatest.is_int() else None
