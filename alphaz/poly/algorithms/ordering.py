"""Existence of an affine order of points: a schedule of isl, checked dependence by dependence."""

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.function import AffineFunction


@dataclass(frozen=True, slots=True)
class Before:
    """An ordering constraint: for each point e of the domain, `first` at `first_point(e)` comes before `then` at
    `then_point(e)`.

    Both are names with the number of a part."""

    domain: Domain
    first: tuple[str, int]
    first_point: AffineFunction
    then: tuple[str, int]
    then_point: AffineFunction


def has_affine_order(constraints: Sequence[Before]) -> bool:
    """Returns True if some multi-dimensional affine schedule satisfies all constraints, for all parameters at once.

    True is checked; False only means that isl found no schedule. Raises OutOfBudget."""
    numbers: dict[tuple[str, int], int] = {}
    for constraint in constraints:
        numbers.setdefault(constraint.first, len(numbers))
        numbers.setdefault(constraint.then, len(numbers))
    relations = [_relation(constraint, numbers) for constraint in constraints]
    if not relations:
        return True
    whole = relations[0].to_union_map()
    for relation in relations[1:]:
        whole = whole.union(relation.to_union_map())
    try:
        asked = isl.ScheduleConstraints.on_domain(whole.domain().union(whole.range())).set_validity(whole)
        schedule = asked.compute_schedule().get_map()
    except isl.Error:
        return False
    return all(_is_kept(relation, schedule) for relation in relations)


def _relation(constraint: Before, numbers: dict[tuple[str, int], int]) -> isl.Map:
    points = constraint.domain.set
    first = constraint.first_point.to_map().intersect_domain(points)
    then = constraint.then_point.to_map().intersect_domain(points)
    first = first.set_tuple_name(isl.dim_type.out, f"S{numbers[constraint.first]}")
    then = then.set_tuple_name(isl.dim_type.out, f"S{numbers[constraint.then]}")
    return first.reverse().apply_range(then)


def _is_kept(relation: isl.Map, schedule: isl.UnionMap) -> bool:
    """Returns True if the schedule dates every pair in its order."""
    dated = relation.to_union_map().apply_domain(schedule).apply_range(schedule)
    dates: list[isl.Map] = []
    dated.foreach_map(dates.append)
    return all(
        dim(isl.dim_type.in_) == dim(isl.dim_type.out) and date.is_subset(isl.Map.lex_lt(date.get_space().domain()))
        for date in dates
        for dim in (date.dim,)
    )
