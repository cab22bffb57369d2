"""The instances of a statement for given parameters, by plain integers: conditions are read as bounds.

They are the points of the statement's domain; isl needs several times as long to list them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.poly import Affine
from alphaz.scop.c_model import KernelStatement

Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class InstanceFormula:
    """An affine expression of the iterators, by their positions; parameters are numbers already."""

    constant: int
    terms: tuple[tuple[int, int], ...]

    @staticmethod
    def of(affine: Affine, iterators: Sequence[str], parameters: Mapping[str, int]) -> "InstanceFormula":
        constant, terms = affine.constant, []
        for name, factor in affine.terms:
            if name in parameters:
                constant += factor * parameters[name]
            else:
                terms.append((iterators.index(name), factor))
        return InstanceFormula(constant, tuple(terms))

    def at(self, point: Sequence[int]) -> int:
        value = self.constant
        for position, factor in self.terms:
            value += factor * point[position]
        return value


@dataclass(frozen=True, slots=True)
class _Bound:
    """`rest + factor * x >= 0`, or `== 0`, for one iterator x."""

    rest: InstanceFormula
    factor: int
    is_equality: bool

    def ends(self, point: Sequence[int]) -> tuple[int | None, int | None]:
        rest, factor = self.rest.at(point), self.factor
        least = -(rest // factor) if factor > 0 else None
        most = rest // -factor if factor < 0 else None
        if not self.is_equality:
            return least, most
        return (-(rest // factor), -rest // factor) if factor > 0 else (-(-rest // -factor), rest // -factor)


# The cases of a condition, each with its bounds on the iterator, and its conditions on earlier ones.
_Case = tuple[tuple[_Bound, ...], tuple[tuple[InstanceFormula, bool], ...]]
_Range = tuple[int | None, int | None]


class TooMany(Exception):
    """There are more instances than allowed."""


def points(statement: KernelStatement, parameters: Mapping[str, int], most: int | None = None) -> list[Point]:
    """Returns all instances, in lexicographic order. Raises TooMany if there are more than `most`."""
    names = statement.iterators
    # Each constraint of a conjunction is a condition that bounds iterators by itself.
    split = (
        [((c,),) for c in condition[0]] if len(condition) == 1 else [condition] for condition in statement.conditions
    )
    conditions = [
        [
            [(InstanceFormula.of(c.affine, names, parameters), c.equality) for c in conjunction]
            for conjunction in condition
        ]
        for some in split
        for condition in some
    ]
    order = _order(conditions, len(names))
    if order is None:
        every = list(statement.domain.points(dict(parameters)))
        if most is not None and len(every) > most:
            raise TooMany
        return every
    levels: list[list[tuple[_Case, ...]]] = [[] for _ in names]
    for condition in conditions:
        at = max((order.index(n) for case in condition for formula, _ in case for n, _ in formula.terms), default=-1)
        if at >= 0:
            levels[at].append(tuple(_case(case, order[at]) for case in condition))
        elif not any(all(_fits(formula.constant, is_equal) for formula, is_equal in case) for case in condition):
            return []
    instances: list[Point] = []
    strides = [_stride(position, order, conditions) for position in range(len(order))]
    _nest(order, levels, strides, 0, [0] * len(names), instances, most)
    return instances if order == sorted(order) else sorted(instances)


def _stride(index: int, order: Sequence[int], conditions: "_Conditions") -> _Bound | None:
    """Returns the equality by which an iterator has a stride: with earlier ones, and a multiple of one later one."""
    position, fixed = order[index], {*order[:index]}
    alone = {case[0] for condition in conditions if len(condition) == 1 for case in condition if len(case) == 1}
    for formula, is_equal in alone:
        factors = dict(formula.terms)
        later = [factor for other, factor in formula.terms if other not in fixed and other != position]
        if abs(factors.get(position, 0)) != 1 or len(later) != 1 or abs(later[0]) == 1:
            continue
        if is_equal or (_negated(formula), False) in alone:
            sign = factors[position]
            rest = tuple((other, factor * sign) for other, factor in formula.terms if other in fixed)
            return _Bound(InstanceFormula(formula.constant * sign, rest), abs(later[0]), is_equality=True)
    return None


def _negated(formula: InstanceFormula) -> InstanceFormula:
    return InstanceFormula(-formula.constant, tuple((other, -factor) for other, factor in formula.terms))


_Conditions = Sequence[Sequence[Sequence[tuple[InstanceFormula, bool]]]]


def _order(conditions: _Conditions, count: int) -> list[int] | None:
    """Returns an order of iterators in which each is bounded by earlier ones: that of the text, if possible. None if
    there is no such order."""
    order: list[int] = []
    while len(order) < count:
        waiting = (place for place in range(count) if place not in order)
        following = next((place for place in waiting if _has_bounds(place, conditions, {*order, place})), None)
        if following is None:
            return None
        order.append(following)
    return order


def _has_bounds(position: int, conditions: _Conditions, fixed: set[int]) -> bool:
    below = above = False
    for condition in conditions:
        if all(n in fixed for case in condition for formula, _ in case for n, _ in formula.terms):
            signs = [_signs(position, case) for case in condition]
            below = below or all(1 in sign for sign in signs)
            above = above or all(-1 in sign for sign in signs)
    return below and above


def _signs(position: int, case: Sequence[tuple[InstanceFormula, bool]]) -> set[int]:
    """Returns 1 if a case bounds an iterator from below, and -1 if from above."""
    signs: set[int] = set()
    for formula, is_equal in case:
        factor = dict(formula.terms).get(position, 0)
        signs |= {1, -1} if factor and is_equal else {1} if factor > 0 else {-1} if factor < 0 else set()
    return signs


def _case(constraints: Sequence[tuple[InstanceFormula, bool]], level: int) -> _Case:
    bounds, others = [], []
    for constraint, is_equal in constraints:
        factor = dict(constraint.terms).get(level)
        if factor is None:
            others.append((constraint, is_equal))
        else:
            rest = InstanceFormula(constraint.constant, tuple(term for term in constraint.terms if term[0] != level))
            bounds.append(_Bound(rest, factor, is_equal))
    return tuple(bounds), tuple(others)


def _fits(value: int, is_equal: bool) -> bool:
    return value == 0 if is_equal else value >= 0


def _nest(
    order: Sequence[int], levels: Sequence[Sequence[tuple[_Case, ...]]], strides: Sequence[_Bound | None],
    depth: int, point: list[int], instances: list[Point], most: int | None,
) -> None:  # fmt: skip
    if depth == len(order):
        instances.append(tuple(point))
        if most is not None and len(instances) > most:
            raise TooMany
        return
    least: int | None = None
    greatest: int | None = None
    several = []
    for condition in levels[depth]:
        ranges = [range_ for range_ in _ranges(condition, point) if range_ is not None]
        if not ranges:
            return
        if len(ranges) > 1:
            several.append(ranges)
        lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
        low = None if None in lows else min(lows)  # type: ignore[type-var]
        high = None if None in highs else max(highs)  # type: ignore[type-var]
        least = low if least is None or (low is not None and low > least) else least
        greatest = high if greatest is None or (high is not None and high < greatest) else greatest
    assert least is not None
    assert greatest is not None
    step, stride = 1, strides[depth]
    if stride is not None:
        step = stride.factor
        least += (-stride.rest.at(point) - least) % step
    for value in range(least, greatest + 1, step):
        if all(any(_holds(range_, value) for range_ in ranges) for ranges in several):
            point[order[depth]] = value
            _nest(order, levels, strides, depth + 1, point, instances, most)


def _ranges(condition: Sequence[_Case], point: Sequence[int]) -> Iterator[_Range | None]:
    """Yields the range of the iterator in each case; None for an empty one."""
    for bounds, others in condition:
        if not all(_fits(formula.at(point), is_equal) for formula, is_equal in others):
            yield None
            continue
        least: int | None = None
        most: int | None = None
        for bound in bounds:
            low, high = bound.ends(point)
            least = low if least is None or (low is not None and low > least) else least
            most = high if most is None or (high is not None and high < most) else most
        yield None if least is not None and most is not None and least > most else (least, most)


def _holds(range_: _Range, value: int) -> bool:
    least, most = range_
    return (least is None or least <= value) and (most is None or value <= most)
