"""Existence of an affine order of points in which given steps go forward, and the points that repeated steps reach."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import read_map
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.space import Space
from alphaz.poly.scheduling.band_schedules import FEAUTRIER, SchedulerOptions, scheduler_options


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

    True is checked; False only means that isl found no schedule. Raises OutOfBudget. Feautrier's algorithm searches one
    row of dates at a time: for the 39 reads of a tiled `fdtd-2d` in 0.1 s, the one for bands in more than 100 s."""
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
        with scheduler_options(SchedulerOptions(algorithm=FEAUTRIER)):
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


Step = tuple[Domain, AffineFunction]


def reachable_pairs(domain: Domain, steps: Sequence[Step], names: Sequence[str]) -> Domain | None:
    """Returns `{ (z, z') }` with z in the domain, where z' (named `names`) is reached from z by zero or more steps.

    A step starts in its own domain. None if isl does not compute the set exactly, or if a point is reached from itself.
    """
    relation = None
    for where, function in steps:
        one = function.to_map().intersect_domain(where.set).intersect_range(domain.set)
        relation = one if relation is None else relation.union(one)
    start = isl.Map.identity(isl.Space.map_from_set(domain.set.get_space())).intersect_domain(domain.set)
    if relation is None:
        return _pairs(start, domain, names)
    closure, exact = relation.coalesce().transitive_closure()
    if not exact or not closure.intersect(isl.Map.identity(closure.get_space())).is_empty():
        return None
    return _pairs(start.union(closure.intersect_domain(domain.set)), domain, names)


def _pairs(relation: isl.Map, domain: Domain, names: Sequence[str]) -> Domain:
    space = domain.space.with_names((*domain.space.names, *names))
    pairs = relation.coalesce().wrap().flatten()
    return Domain(space, pairs).renamed(space.names)


@dataclass(frozen=True, slots=True, eq=False)
class Leap:
    """A step: for each z in `domain`, from the point `start`(z) of one set to the point `end`(z) of another (by
    number)."""

    domain: Domain
    source: int
    start: AffineFunction
    target: int
    end: AffineFunction


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """The pairs of points of which the second is reached from the first by one or more steps; a superset unless
    `is_exact`."""

    pairs: isl.UnionMap | None
    is_exact: bool

    @staticmethod
    def by(steps: Iterable[Leap]) -> "Reached":
        """Returns the transitive closure. Raises OutOfBudget."""
        every: isl.UnionMap | None = None
        for step in steps:
            start = step.start.to_map().intersect_domain(step.domain.set)
            one = _name_spaces(start.reverse().apply_range(step.end.to_map()), step.source, step.target).to_union_map()
            every = one if every is None else every.union(one)
        if every is None:
            return Reached(None, True)
        closure, exact = every.coalesce().transitive_closure()
        return Reached(closure.coalesce(), bool(exact))

    def between(self, space: Space, source: int, target: int, split: int) -> Domain:
        """Returns the pairs of two sets, as points of `space`: the first `split` dimensions are those of the first
        point."""
        if self.pairs is None:
            return Domain.empty(space)
        shape = read_map(space.parameters, space.names[:split], space.names[split:], (), [])
        relation = self.pairs.extract_map(_name_spaces(shape, source, target).get_space())
        return Domain(space, relation.wrap().flatten().reset_tuple_id()).renamed(space.names)


def _name_spaces(relation: isl.Map, source: int, target: int) -> isl.Map:
    named = relation.set_tuple_name(isl.dim_type.in_, f"set{source}")
    return named.set_tuple_name(isl.dim_type.out, f"set{target}")
