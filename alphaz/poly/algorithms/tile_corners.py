"""Boxes of points inside a domain: full and partial register tiles.

A box has a corner b and the points b + o_1 e_1 + ... + o_n e_n, 0 <= o_i < size_i, where e_i is a unit vector or its
negative, along which a date grows by one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, mangle, read_map, tuple_text
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, at_least, equal
from alphaz.poly.plain.space import Space, fresh_names


@dataclass(frozen=True, slots=True)
class BoxStep:
    """`size` points along index `name`, upwards or (`sign` -1) downwards."""

    name: str
    sign: int
    size: int


@dataclass(frozen=True, slots=True)
class BoxKey:
    """An operation belongs to a corner if 0 <= its value - that of the corner < size; with a modulus, if the two are
    congruent."""

    value: Affine
    size: int = 1
    modulus: int = 0


def full_tile_corners(domain: Domain, steps: Sequence[BoxStep]) -> Domain:
    """Returns the corners of the boxes all of whose points are in the domain."""
    leaving = _box(domain.space, tuple(steps)).intersect_domain(domain.set).subtract_range(domain.set)
    return Domain(domain.space, domain.set.subtract(leaving.domain()).coalesce())


def partial_tile_corners(domain: Domain, steps: Sequence[BoxStep]) -> Domain:
    """Returns the corners of the boxes that have some point in the domain; the corners need not be in it."""
    return Domain(domain.space, domain.set.apply(_box(domain.space, tuple(steps)).reverse()).coalesce())


def lines_agree(domain: Domain, steps: Sequence[BoxStep], moving: Collection[str]) -> bool:
    """Returns True if the lines of each box have the same points: `moving` are the indices that change along a line,
    others tell the lines of a box apart."""
    lines = tuple(name for name in domain.space.names if name not in moving)
    onto = AffineFunction(domain.space, tuple(map(Affine.name, lines)))
    missing = domain.onto(lines).preimage(onto) - domain
    return (partial_tile_corners(domain, steps) & partial_tile_corners(missing, steps)).is_empty()


def corners_on_grid(corner: Domain, dates: Sequence[Affine], steps: Sequence[BoxStep], domain: Domain) -> Domain:
    """Returns the corners without those that are below the first multiple of a size at which a box may touch the
    domain."""
    constraints = []
    for step in steps:
        (date,) = (date for date in dates if date.coefficient(step.name))
        least = domain.image(AffineFunction(domain.space, (date,)), fresh_names(1, "x", domain.space.parameters))
        first = least.least(least.space.names[0])
        if first is not None:
            constraints.append(at_least(date, first // step.size * step.size))
    return corner & Domain.where(corner.space, constraints)


def box_points(corner: Domain, steps: Sequence[BoxStep]) -> Domain:
    """Returns all points of the boxes with these corners."""
    return Domain(corner.space, corner.set.apply(_box(corner.space, tuple(steps))).coalesce())


def corners_of_points(corner: Domain, keys: Sequence[BoxKey], other: Domain, other_keys: Sequence[BoxKey]) -> Domain:
    """Returns the corners to which some point of `other` belongs."""
    return Domain(corner.space, _belonging(corner, keys, other, other_keys).domain().coalesce())


def corner_point_pairs(corner: Domain, keys: Sequence[BoxKey], other: Domain, other_keys: Sequence[BoxKey]) -> Domain:
    """Returns the pairs of a corner and a point of `other` that belongs to it. The names are those of `pair_names`."""
    return _pairs(corner, other, _belonging(corner, keys, other, other_keys))


def conflict(
    corner: Domain,
    steps: Sequence[BoxStep],
    keys: Sequence[Affine],
    cell: Sequence[BoxKey],
    other_cell: Sequence[BoxKey],
    apart: bool = False,
) -> Domain:
    """Returns the pairs of points, of one box or of boxes whose corners have the same keys, with `cell` of one equal to
    `other_cell` of the other. `apart`: only different points. The names are those of `pair_names`."""
    same = [BoxKey(key) for key in keys]
    box = _box(corner.space, tuple(steps))
    pairs = box.reverse().apply_range(_belonging(corner, same, corner, same)).apply_range(box)
    points = box_points(corner, steps)
    pairs = pairs.intersect(_belonging(points, cell, points, other_cell))
    if apart:
        pairs = pairs.subtract(isl.Map.identity(pairs.get_space()))
    return _pairs(corner, corner, pairs)


def unequal_pairs(
    one: Domain, keys: Sequence[BoxKey], at: Affine, other: Domain, other_keys: Sequence[BoxKey], to: Affine
) -> Domain:
    """Returns the pairs of points of two domains that have the same keys, and `at` of one is not `to` of the other."""
    same = _belonging(one, [BoxKey(at)], other, [BoxKey(to)])
    return _pairs(one, other, _belonging(one, keys, other, other_keys).subtract(same))


def pair_names(one: Domain, other: Domain) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the names of two domains in sets of their pairs."""
    return _names(one, "a"), _names(other, "b")


def _pairs(one: Domain, other: Domain, pairs: isl.Map) -> Domain:
    left, right = pair_names(one, other)
    return Domain(one.space.with_names((*left.values(), *right.values())), pairs.wrap().flatten())


@lru_cache(maxsize=256)
def _box(space: Space, steps: tuple[BoxStep, ...]) -> isl.Map:
    """The map from a corner to the points of its box."""
    offsets = {s.name: (f"z_d{position}", s) for position, s in enumerate(steps)}
    outputs = [f"z_n{dimension}" for dimension in range(space.dimensions)]
    constraints = [f"0 <= {offset} < {step.size}" for offset, step in offsets.values()]
    for name, output in zip(space.names, outputs, strict=True):
        offset, step = offsets.get(name, ("0", None))
        constraints.append(f"{output} = {mangle(name)} + {step.sign if step else 1}*{offset}")
    exists = f"exists {', '.join(offset for offset, _ in offsets.values())} : " if offsets else ""
    source, target = tuple_text(space.names), f"[{', '.join(outputs)}]"
    condition = f"{exists}{' and '.join(constraints) or 'true'}"
    return isl.Map(f"{tuple_text(space.parameters)} -> {{ {source} -> {target} : {condition} }}", CONTEXT)


def _belonging(corner: Domain, keys: Sequence[BoxKey], other: Domain, other_keys: Sequence[BoxKey]) -> isl.Map:
    left, right = _names(corner, "a"), _names(other, "b")
    quotients = fresh_names(len(keys), "q", (*corner.space.parameters, *left.values(), *right.values()))
    conditions, extra = [], []
    for key, two, quotient in zip(keys, other_keys, quotients, strict=True):
        assert (key.size, key.modulus) == (two.size, two.modulus)
        apart = two.value.rename(right) - key.value.rename(left)
        if key.modulus:
            extra.append(quotient)
            conditions.append(equal(apart, Affine.name(quotient) * key.modulus))
        elif key.size == 1:
            conditions.append(equal(apart, 0))
        else:
            conditions += [at_least(apart, 0), at_least(Affine(constant=key.size - 1), apart)]
    relation = read_map(corner.space.parameters, tuple(left.values()), tuple(right.values()), tuple(extra), conditions)
    return relation.intersect_domain(corner.set).intersect_range(other.set)


def _names(domain: Domain, side: str) -> dict[str, str]:
    fresh = fresh_names(domain.space.dimensions, side, domain.space.parameters)
    return dict(zip(domain.space.names, fresh, strict=True))
