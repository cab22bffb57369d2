"""Checks that loops visit the points of their domains, each once and in the order of the dates.

isl makes the loops (`alphaz.poly.scanning`), and some of them are wrong: of `S[x,y] -> [x, x+2y]` with
`a <= x <= a+1`, `b <= x+2y <= b+1` and `c <= 2y <= c+1` it visits x = a alone; of several domains with strides, merged
into one loop, some come before others that have earlier dates. So each tree is read again here, with nothing of how it
was made but its text.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from typing import TypeVar

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, isl_space, multi_affine
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation
from alphaz.poly.plain.space import Space
from alphaz.poly.scanned_loops import Dated, Fixed, Guard, Loop, Scanned, ScanRow, Visit

_Points = TypeVar("_Points", isl.Map, isl.Set)


def visits_all(tree: Scanned, wanted: Sequence[Dated], known: Domain, iterators: Sequence[str]) -> bool:
    """Returns True if the tree visits each point of each domain once, and no other, in the order of the dates.
    `iterators` are those of the dates; `known` is what the parameters are known to be. Visits have the numbers of
    `wanted`.
    """
    anywhere = tuple(isl.Map.from_multi_aff(multi_affine(dated.domain.space, dated.date)) for dated in wanted)
    dates = tuple(map_.intersect_domain(one.domain.set) for map_, one in zip(anywhere, wanted, strict=True))
    own = Space(known.space.parameters, tuple(iterators))
    context = isl.Set.universe(isl_space(own)).intersect_params(known.set.params())
    reader = _Reader(own, tuple(date.reverse() for date in dates), tuple(map_.reverse() for map_ in anywhere))
    here = _Here(context)
    seen = reader.seen(tree, here)
    if reader.counts_dates(seen, context):
        return True
    # Loops may count something else, in the same order.
    visits = tuple(seen.visits)
    moments = _moments(visits, own)
    for position, mine in enumerate(dates):
        moments_at = [moment for moment, visit in zip(moments, visits, strict=True) if visit.at == position]
        if not _are_once(moments_at, mine.domain().intersect_params(known.set.params())):
            return False
    return _is_in_order(moments, [dates[visit.at] for visit in visits])


def _are_parts(maps: Sequence[isl.Map], wanted: isl.Map) -> bool:
    """Returns True if the maps are disjoint, and their union is the wanted one."""
    if not _are_apart(maps):
        return False
    return bool(reduce(isl.Map.union, maps, isl.Map.empty(wanted.get_space())).is_equal(wanted))


def _are_apart(parts: Sequence[_Points]) -> bool:
    """Returns True if no two intersect. The hulls of most pairs are disjoint, and are compared first."""
    pairs = combinations([(points, points.simple_hull()) for points in parts], 2)
    return all(bool(near.is_disjoint(far)) or bool(a.is_disjoint(b)) for (a, near), (b, far) in pairs)


def _are_once(maps: Sequence[isl.Map], wanted: isl.Set) -> bool:
    """Returns True if each point is in the range once."""
    ranges = [map_.range() for map_ in maps]
    if not _are_apart(ranges):
        return False
    every = reduce(isl.Set.union, ranges, isl.Set.empty(wanted.get_space()))
    return bool(every.is_equal(wanted)) and all(bool(map_.is_injective()) for map_ in maps)


def _is_in_order(moments: Sequence[isl.Map], dates: Sequence[isl.Map]) -> bool:
    """Returns True if no later moment has an earlier date."""
    if not moments:
        return True
    maps = [moment.apply_range(date) for moment, date in zip(moments, dates, strict=True)]
    every = reduce(isl.Map.union, maps)
    later = isl.Map.lex_lt(every.get_space().domain())
    wrong = every.reverse().apply_range(later).apply_range(every)
    return bool(wrong.intersect(isl.Map.lex_gt(every.get_space().range())).is_empty())


def _moments(visits: "Sequence[_Visited]", own: Space) -> list[isl.Map]:
    """The points by when they are visited: the numbers in rows and the iterators, outermost first."""
    length = max((len(visit.moment) for visit in visits), default=0)
    moments = []
    for visit in visits:
        moment = [Affine.name(m) if isinstance(m, str) else Affine(constant=m) for m in visit.moment]
        moment += [Affine()] * (length - len(moment))
        # Without the iterators that have no loop.
        points = visit.points.apply_domain(isl.Map.from_multi_aff(multi_affine(own, moment)))
        moments.append(points)
    return moments


@dataclass(frozen=True, slots=True)
class _Here:
    """The iterations with which a node is come to, and when: the numbers in rows and the iterators around it."""

    iterations: isl.Set
    moment: tuple[int | str, ...] = ()

    @property
    def around(self) -> tuple[str, ...]:
        return tuple(component for component in self.moment if isinstance(component, str))

    def inside(self, iterations: isl.Set, at: int | str) -> "_Here":
        return _Here(self.iterations.intersect(iterations), (*self.moment, at))


@dataclass(frozen=True, slots=True)
class _Visited:
    """A visit of domain `at`: each iteration with its point."""

    at: int
    points: isl.Map
    moment: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A node with the iterators around it: a visit, or parts, which come one after the other in a row."""

    around: tuple[str, ...]
    visit: _Visited | None
    parts: "tuple[_Seen, ...]" = ()
    is_row: bool = False

    @property
    def visits(self) -> Iterator[_Visited]:
        """Those inside."""
        if self.visit is not None:
            yield self.visit
        for part in self.parts:
            yield from part.visits

    def changed(self, change: Callable[[_Visited], _Visited]) -> "_Seen":
        """The same with other visits."""
        visit = None if self.visit is None else change(self.visit)
        return replace(self, visit=visit, parts=tuple(part.changed(change) for part in self.parts))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Integers as functions of the iterators, conditions as sets of them. `points_at` are the points by their dates,
    `anywhere` those outside of the domains, too.
    """

    own: Space
    points_at: tuple[isl.Map, ...]
    anywhere: tuple[isl.Map, ...]

    @property
    def space(self) -> isl.Space:
        return isl_space(self.own)

    def seen(self, node: Scanned, here: _Here) -> _Seen:
        """The node with what is visited inside: the sets of each node are made once."""
        if isinstance(node, Visit):
            points = self._points(node.arguments).intersect_domain(here.iterations)
            return _Seen(here.around, _Visited(node.at, points, here.moment))
        parts = tuple(self.seen(child, inside) for child, inside in self._inside(node, here))
        return _Seen(here.around, None, parts, isinstance(node, ScanRow))

    def counts_dates(self, seen: _Seen, context: isl.Set) -> bool:
        """Returns True if the iterators are the dates of the points, in order: a quick test."""
        dated = seen.changed(self._dated)
        visits = tuple(dated.visits)
        points_by_place = (
            [visit.points for visit in visits if visit.at == position] for position in range(len(self.points_at))
        )
        wanted = (points.intersect_domain(context) for points in self.points_at)
        return all(map(_are_parts, points_by_place, wanted)) and self._dates(dated) is not None

    def _dated(self, visit: _Visited) -> _Visited:
        """An iterator that has no loop has the value that the date says."""
        around = [component for component in visit.moment if isinstance(component, str)]
        if len(around) == self.own.dimensions:
            return visit
        dates = self.anywhere[visit.at]
        for name in around:
            dates = dates.eliminate(isl.dim_type.in_, self.own.names.index(name), 1)
        return replace(visit, points=visit.points.intersect(dates))

    def _dates(self, seen: _Seen) -> isl.Set | None:
        """All dates of what is visited inside of a node; None where a row has something in front of what has an earlier
        date, the iterators around them being the same. Loops count upwards.
        """
        if seen.visit is not None:
            return seen.visit.points.domain()
        before: isl.Set | None = None
        for part in seen.parts:
            mine = self._dates(part)
            if mine is None:
                return None
            if before is None:
                before = mine
                continue
            if seen.is_row and self._are_late(before, mine, seen.around):
                return None
            before = before.union(mine).coalesce()
        return isl.Set.empty(self.space) if before is None else before

    def _are_late(self, before: isl.Set, mine: isl.Set, around: Sequence[str]) -> bool:
        late = before.lex_gt_set(mine)
        for name in around:
            position = self.own.names.index(name)
            late = late.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
        return not late.is_empty()

    def _inside(self, node: ScanRow | Guard | Fixed | Loop, here: _Here) -> Iterator[tuple[Scanned, _Here]]:
        match node:
            case ScanRow(children):
                for number, child in enumerate(children):
                    yield child, replace(here, moment=(*here.moment, number))
            case Guard(condition, then, otherwise):
                held = self._condition(condition)
                yield then, here.inside(held, 0)
                if otherwise is not None:
                    yield otherwise, here.inside(held.complement(), 1)
            case Fixed() | Loop():
                yield node.body, here.inside(self._iterations(node), node.iterator)

    def _iterations(self, loop: Fixed | Loop) -> isl.Set:
        """Those of a loop, whatever the others are."""
        iterator = IntegerName(loop.iterator)
        if isinstance(loop, Fixed):
            return self._compared("==", iterator, loop.value)
        inside = self._compared(">=", iterator, loop.first)
        inside = inside.intersect(self._compared(loop.comparison, iterator, loop.bound))
        if loop.step == IntegerConstant(1):
            return inside
        return inside.intersect(
            self._condition(_quotient_condition(IntegerOperation("-", (iterator, loop.first)), loop.step))
        )

    def _condition(self, condition: Integer) -> isl.Set:
        match condition:
            case IntegerConstant(value):
                everywhere = isl.Set.universe(self.space)
                return everywhere if value else everywhere.complement()
            case IntegerOperation("and", operands):
                return reduce(isl.Set.intersect, map(self._condition, operands))
            case IntegerOperation("or", operands):
                return reduce(isl.Set.union, map(self._condition, operands))
            case IntegerOperation("==" | "<" | "<=" | ">" | ">=" as symbol, (left, right)):
                return self._compared(symbol, left, right)
        raise AssertionError(f"not a condition: {condition}")

    def _compared(self, symbol: str, left: Integer, right: Integer) -> isl.Set:
        """Compares a value with each operand instead of their minimum or maximum, where all comparisons have to
        agree: isl has fewer pieces then."""
        match symbol, right:
            case (">=" | ">", IntegerOperation("max", operands)) | ("<=" | "<", IntegerOperation("min", operands)):
                return reduce(isl.Set.intersect, (self._compared(symbol, left, operand) for operand in operands))
        return _COMPARED[symbol](self._value(left), self._value(right))

    def _points(self, arguments: Sequence[Integer]) -> isl.Map:
        functions = isl.PwAffList.alloc(CONTEXT, len(arguments))
        for argument in arguments:
            functions = functions.add(self._value(argument))
        shape = self.space.map_from_set().drop_dims(isl.dim_type.out, 0, self.own.dimensions)
        shape = shape.add_dims(isl.dim_type.out, len(arguments))
        return isl.Map.from_multi_pw_aff(isl.MultiPwAff.from_pw_aff_list(shape, functions))

    def _value(self, integer: Integer) -> isl.PwAff:
        match integer:
            case IntegerConstant(value):
                return isl.PwAff.from_aff(self._zero.set_constant_val(_val(value)))
            case IntegerName(name):
                return isl.PwAff.from_aff(self._variable(name))
            case IntegerOperation("neg", (operand,)):
                return self._value(operand).neg()
            case IntegerOperation("floor_div" | "quotient" | "exact_div", (operand, IntegerConstant(by))):
                return self._value(operand).scale_down_val(_val(by)).floor()
            case IntegerOperation("remainder" | "divides", (operand, IntegerConstant(by))):
                return self._value(operand).mod_val(_val(by))
            case IntegerOperation("if", (condition, then, otherwise)):
                held = self._condition(condition)
                other = self._value(otherwise).subtract_domain(held)
                return self._value(then).intersect_domain(held).union_add(other)
            case IntegerOperation("+" | "-" | "*" | "min" | "max" as symbol, operands):
                return reduce(_COMPUTED[symbol], map(self._value, operands))
        raise AssertionError(f"not a value: {integer}")

    def _variable(self, name: str) -> isl.Aff:
        if name in self.own.names:
            return self._zero.set_coefficient_val(isl.dim_type.in_, self.own.names.index(name), _val(1))
        return self._zero.set_coefficient_val(isl.dim_type.param, self.own.parameters.index(name), _val(1))

    @property
    def _zero(self) -> isl.Aff:
        return isl.Aff.zero_on_domain(isl.LocalSpace.from_space(self.space))


_COMPARED = {
    "==": isl.PwAff.eq_set,
    "<": isl.PwAff.lt_set,
    "<=": isl.PwAff.le_set,
    ">": isl.PwAff.gt_set,
    ">=": isl.PwAff.ge_set,
}
_COMPUTED = {
    "+": isl.PwAff.add, "-": isl.PwAff.sub, "*": isl.PwAff.mul, "min": isl.PwAff.min, "max": isl.PwAff.max,
}  # fmt: skip


def _quotient_condition(dividend: Integer, divisor: Integer) -> Integer:
    return IntegerOperation("==", (IntegerOperation("divides", (dividend, divisor)), IntegerConstant(0)))


def _val(value: int) -> isl.Val:
    return isl.Val(str(value), CONTEXT)
