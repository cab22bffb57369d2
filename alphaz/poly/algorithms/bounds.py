"""Bounds of sets: extreme values of affine expressions, bounding boxes and guards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import islpy as isl

from alphaz.poly.ast_expression import from_isl
from alphaz.poly.domain import Domain, Unbounded
from alphaz.poly.engine import CONTEXT, affine_text, mangle, multi_affine, tuple_text
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, at_least, less
from alphaz.poly.plain.conditions import among
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerOperation,
    as_affine,
    of_affine,
    simplified,
)
from alphaz.poly.plain.integer_simplification import Simplifier


def extremes(domain: Domain, affine: Affine) -> tuple[int, int] | None:
    """Returns the least and the greatest value; None for an empty set, or if one of the two is unbounded."""
    low, high = least(domain, affine), least(domain, -affine)
    return None if low is None or high is None else (low, -high)


def least(domain: Domain, affine: Affine) -> int | None:
    """Returns the least value; None for an empty set, or if there is no least value."""
    if domain.is_empty():
        return None
    value = domain.set.min_val(multi_affine(domain.space, [affine]).get_at(0))
    return int(value.to_python()) if value.is_int() else None


@dataclass(frozen=True, slots=True)
class SymbolicBox:
    """The least box around a set: `lower[d] <= z[d] <= upper[d]`, over the parameters.

    The bounds of an empty set are arbitrary."""

    lower: tuple[Integer, ...]
    upper: tuple[Integer, ...]

    @property
    def extents(self) -> tuple[Integer, ...]:
        """Returns `upper - lower + 1` for each dimension; not positive if the box is empty."""
        pairs = zip(self.lower, self.upper, strict=True)
        return tuple(extent(low, high) for low, high in pairs)


def extent(lower: Integer, upper: Integer) -> Integer:
    """Returns `upper - lower + 1`, simplified; of a least upper bound the least extent."""
    if lower == upper:
        return IntegerConstant(1)
    whole = IntegerOperation("+", (IntegerOperation("-", (upper, lower)), IntegerConstant(1)))
    extents = [as_affine(operand) for operand in among("min", whole)]
    known = [of_affine(extent) for extent in extents if extent is not None]
    return (
        simplified(whole) if len(known) < len(extents) else Simplifier().folded(IntegerOperation("min", tuple(known)))
    )


def count_or_zero(extent: Integer, domain: Domain, context: Domain) -> Integer:
    """Returns the extent of a box of the domain, and 0 if that is negative, as it may be for an empty domain.

    (Two negative extents would have a positive product.)"""
    affine = as_affine(extent)
    if affine is None:
        is_sure = (context - domain.parameters()).is_empty()
    else:
        is_sure = (context & Domain.where(context.space, [less(affine, Affine())])).is_empty()
    return extent if is_sure else IntegerOperation("max", (IntegerConstant(0), extent))


@lru_cache(maxsize=1024)
def bounding_box(domain: Domain, context: Domain) -> SymbolicBox:
    """Returns the box for all parameters of the context. Raises Unbounded if the set is infinite for some
    parameters."""
    the_set = domain.in_context(context).set.coalesce()
    if the_set.is_empty():
        zero = of_affine(Affine())
        none = of_affine(Affine(constant=-1))
        return SymbolicBox((zero,) * domain.space.dimensions, (none,) * domain.space.dimensions)
    known = the_set.params()
    build = isl.AstBuild.from_context(known)
    names = {mangle(n): n for n in domain.space.parameters}

    def bound(value: isl.PwAff) -> Integer:
        return Simplifier().folded(from_isl(build.expr_from_pw_aff(value.coalesce().gist(known)), names))

    try:
        lower = tuple(bound(the_set.dim_min(dimension)) for dimension in range(domain.space.dimensions))
        upper = tuple(bound(the_set.dim_max(dimension)) for dimension in range(domain.space.dimensions))
    except isl.Error as error:
        if "unbounded" in str(error):
            raise Unbounded(str(domain)) from None
        raise
    return SymbolicBox(lower, upper)


def guard(domain: Domain, known: Domain) -> Integer | None:
    """Returns the test that a point of `known` is in `domain`, over the names of its space; None if every one is."""
    if known.is_subset(domain):
        return None
    space = domain.space
    count, parameters = space.dimensions, len(space.parameters)

    def flat(the_set: isl.Set) -> isl.Set:
        return the_set.move_dims(isl.dim_type.param, parameters, isl.dim_type.set, 0, count).params()

    # Both are renamed: isl drops names on the way, and parameters must have them.
    inside, around = domain.renamed(space.names).set, known.renamed(space.names).set
    wanted = flat(inside.gist(around).coalesce())
    build = isl.AstBuild.from_context(flat(around))
    names = {mangle(n): n for n in (*space.parameters, *space.names)}
    return from_isl(build.expr_from_set(wanted), names)


def image_modulo(domain: Domain, function: AffineFunction, moduli: Sequence[int], names: Sequence[str]) -> Domain:
    """Returns `{f(z) mod moduli | z in domain}`, with dimensions named `names`; a modulus of 0 means none."""
    space = function.domain
    outputs = [
        f"({affine_text(o)})" + (f" mod {m}" if m else "") for o, m in zip(function.outputs, moduli, strict=True)
    ]
    text = f"{tuple_text(space.parameters)} -> {{ {tuple_text(space.names)} -> [{', '.join(outputs)}] }}"
    return Domain(domain.space.with_names(names), domain.set.apply(isl.Map(text, CONTEXT)))


def is_non_negative(affine: Affine, domain: Domain) -> bool:
    """Returns True if the expression is never negative on the domain."""
    return domain.is_subset(Domain.where(domain.space, [at_least(affine, 0)]))


def simplifier_of(domain: Domain) -> Simplifier:
    """Returns the simplifier that knows the constraints of a domain of one piece."""
    pieces, simplifier = domain.pieces(), Simplifier()
    for constraint in pieces[0].constraints if len(pieces) == 1 and not pieces[0].floors else ():
        simplifier = simplifier.where(
            IntegerOperation("==" if constraint.equality else ">=", (of_affine(constraint.affine), IntegerConstant(0)))
        )
    return simplifier


@dataclass(frozen=True, slots=True)
class Box:
    """All points z with `lower <= z <= upper`, component by component. An empty box has `upper = lower - 1`."""

    lower: tuple[int, ...]
    upper: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Returns the extent of each dimension; zeros for the box of an empty domain; `()` for a scalar."""
        return tuple(high - low + 1 for low, high in zip(self.lower, self.upper, strict=True))

    @property
    def strides(self) -> tuple[int, ...]:
        """Returns the number of cells by which the row-major offset grows with each dimension."""
        shape = self.shape
        return tuple(prod(shape[position + 1 :]) for position in range(len(shape)))

    @property
    def size(self) -> int:
        """Returns the number of cells; 1 for a scalar."""
        return prod(self.shape)


def box_of(domain: Domain, parameters: Mapping[str, int]) -> Box:
    """Returns the smallest box around the points for these parameters (every one given). Raises Unbounded."""
    chosen = domain.fixed({name: parameters[name] for name in domain.space.parameters}).set
    dimensions = range(domain.space.dimensions)
    if chosen.is_empty():
        return Box(tuple(0 for _ in dimensions), tuple(-1 for _ in dimensions))
    chosen = chosen.project_out(isl.dim_type.param, 0, len(domain.space.parameters))
    if not chosen.is_bounded():
        raise Unbounded(str(domain))
    lower = tuple(int(chosen.dim_min_val(dimension).to_python()) for dimension in dimensions)
    upper = tuple(int(chosen.dim_max_val(dimension).to_python()) for dimension in dimensions)
    return Box(lower, upper)
