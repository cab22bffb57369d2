"""Exact simplex over bounded linear forms, with conflicts as sums of facts.

Each linear form is a column: a variable, or a slack that is defined by a row over variables. A fact is a bound of a
column. Rows have integer coefficients, and columns that are not basic have integer values: integers are faster than
fractions. A conflict gives each of its facts a factor, so that the sum of the facts has no variable and is negative.

Source: Dutertre and de Moura, A Fast Linear-Arithmetic Solver for DPLL(T) (CAV 2006).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from alphaz.kernel.checker import Fact

Terms = Mapping[int, int]
Slack = tuple[tuple[int, int], ...]
Column = int | Slack
Rational = int | Fraction
Conflict = dict[int, int]
"""The factors of facts, by their labels."""

# Pivots of one check before the choice of columns follows Bland's rule, which ends.
_BLAND = 50
# Pivots of the search for one optimum.
_MOST_PIVOTS = 200


class OutOfSteps(Exception):
    """The budget is used up."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of a column: its value, and the label and factor of the fact that states it."""

    value: int
    label: int
    factor: int


def column_of(terms: Terms) -> tuple[Column, int]:
    """Returns the column of a form, and 1, or -1 if the column is its negative."""
    pairs = tuple(sorted(terms.items()))
    sign = 1 if pairs[0][1] > 0 else -1
    slack = tuple((variable, sign * c) for variable, c in pairs)
    return (slack[0][0] if len(slack) == 1 and slack[0][1] == 1 else slack), sign


def _order(column: Column) -> tuple[int, Slack]:
    """Variables come before slacks."""
    return (0, ((column, 0),)) if isinstance(column, int) else (1, column)


def terms_of(column: Column) -> dict[int, int]:
    return {column: 1} if isinstance(column, int) else dict(column)


@dataclass(slots=True)
class Row:
    """The value of a form: `scale` times it is the sum of the terms, over columns that are not basic, which is `total`
    at their present values. The scale and the coefficients are coprime.
    """

    scale: int
    terms: dict[Column, int]
    total: int

    @property
    def value(self) -> Rational:
        return self.total if self.scale == 1 else _simple(Fraction(self.total, self.scale))

    def replace(self, column: Column, solved: "Row", change: int) -> None:
        """Replaces a column by its row. The total of that row has changed by `change` since the value of the column."""
        factor = self.terms.pop(column)
        divisor = gcd(factor, solved.scale)
        factor, multiple = factor // divisor, solved.scale // divisor
        if multiple != 1:
            self.scale, self.total = multiple * self.scale, multiple * self.total
            for other, c in self.terms.items():
                self.terms[other] = multiple * c
        self.total += factor * change
        for other, c in solved.terms.items():
            self.terms[other] = self.terms.get(other, 0) + factor * c
        if self.scale != 1:
            self.reduce()

    def reduce(self) -> None:
        divisor = gcd(self.scale, *self.terms.values())
        if divisor != 1:
            self.scale, self.total = self.scale // divisor, self.total // divisor
            for other, c in self.terms.items():
                self.terms[other] = c // divisor


@dataclass(slots=True)
class Simplex:
    """The tableau, with values that satisfy the bounds of all columns that are not basic.

    `steps` is the number of pivots and nodes that are left.
    """

    steps: int
    rows: dict[Column, Row] = field(default_factory=dict)
    # All columns, in the order in which they came.
    columns: list[Column] = field(default_factory=list)
    # The basic columns in whose rows a column occurs.
    users: dict[Column, dict[Column, None]] = field(default_factory=dict)
    # The values of the columns that are not basic.
    values: dict[Column, int] = field(default_factory=dict)
    lower: dict[Column, Bound] = field(default_factory=dict)
    upper: dict[Column, Bound] = field(default_factory=dict)
    _trail: list[tuple[dict[Column, Bound], Column, Bound | None]] = field(default_factory=list)

    def spend(self, steps: int = 1) -> None:
        """Counts steps. Raises OutOfSteps."""
        self.steps -= steps
        if self.steps < 0:
            raise OutOfSteps

    def mark(self) -> int:
        """Returns the place to which `back` leads."""
        return len(self._trail)

    def back(self, mark: int) -> None:
        """Removes all bounds since the mark; rows and values stay."""
        while len(self._trail) > mark:
            bounds, column, before = self._trail.pop()
            if before is None:
                del bounds[column]
            else:
                bounds[column] = before

    def assume(self, fact: Fact, label: int) -> Conflict | None:
        """Adds a fact; returns a conflict with one other fact, if there is one."""
        (terms, constant), is_equality = fact
        if not terms:
            return {label: 1} if constant < 0 else None
        column, sign = column_of(terms)
        self._add(column)
        if sign > 0 or is_equality:
            conflict = self._at_least(column, Bound(-sign * constant, label, sign))
            if conflict is not None:
                return conflict
        if sign < 0 or is_equality:
            return self._at_most(column, Bound(-sign * constant, label, -sign))
        return None

    def _add(self, column: Column) -> None:
        if column in self.values or column in self.rows:
            return
        self.columns.append(column)
        if isinstance(column, int):
            self.values[column], self.users[column] = 0, {}
            return
        self.rows[column] = row = self._row(dict(column))
        for other in row.terms:
            self.users[other][column] = None

    def _row(self, terms: Terms) -> Row:
        """Returns a form over the columns that are not basic."""
        for variable in terms:
            self._add(variable)
        basic = {variable: self.rows[variable] for variable in terms if variable in self.rows}
        scale = lcm(*(row.scale for row in basic.values()))
        sums: dict[Column, int] = {}
        for variable, c in terms.items():
            row = basic.get(variable)
            factor = c * scale if row is None else c * (scale // row.scale)
            for other, inner in ((variable, 1),) if row is None else row.terms.items():
                sums[other] = sums.get(other, 0) + factor * inner
        sums = {other: c for other, c in sums.items() if c}
        row = Row(scale, sums, sum(c * self.values[other] for other, c in sums.items()))
        row.reduce()
        return row

    def at(self, column: Column) -> Rational:
        """Returns the present value of a column; 0 if there is no such column."""
        row = self.rows.get(column)
        return self.values.get(column, 0) if row is None else row.value

    def _at_least(self, column: Column, bound: Bound) -> Conflict | None:
        before, upper = self.lower.get(column), self.upper.get(column)
        if before is not None and before.value >= bound.value:
            return None
        if upper is not None and upper.value < bound.value:
            return _sum((bound, 1), (upper, 1))
        self._bind(self.lower, column, bound)
        if column not in self.rows and self.values[column] < bound.value:
            self._move(column, bound.value)
        return None

    def _at_most(self, column: Column, bound: Bound) -> Conflict | None:
        before, lower = self.upper.get(column), self.lower.get(column)
        if before is not None and before.value <= bound.value:
            return None
        if lower is not None and lower.value > bound.value:
            return _sum((bound, 1), (lower, 1))
        self._bind(self.upper, column, bound)
        if column not in self.rows and self.values[column] > bound.value:
            self._move(column, bound.value)
        return None

    def _bind(self, bounds: dict[Column, Bound], column: Column, bound: Bound) -> None:
        self._trail.append((bounds, column, bounds.get(column)))
        bounds[column] = bound

    def _move(self, column: Column, value: int) -> None:
        """Changes the value of a column that is not basic."""
        difference = value - self.values[column]
        self.values[column] = value
        for basic in self.users[column]:
            row = self.rows[basic]
            row.total += row.terms[column] * difference

    # --- checks -------------------------------------------------------------------------------------------------

    def conflict(self) -> Conflict | None:
        """Finds values within all bounds, or returns a conflict. Raises OutOfSteps."""
        pivots = 0
        while True:
            broken = self._broken()
            if broken is None:
                return None
            basic, bound, is_below = broken
            entering = self._entering(basic, is_below, pivots > _BLAND)
            if entering is None:
                return self._explained(basic, bound, is_below)
            pivots += 1
            self._pivot(basic, entering, bound.value)

    def _broken(self) -> tuple[Column, Bound, bool] | None:
        """Returns the first basic column out of its bounds, the bound, and whether the value is below it."""
        first: tuple[Column, Bound, bool] | None = None
        for basic, row in self.rows.items():
            lower, upper = self.lower.get(basic), self.upper.get(basic)
            if lower is not None and row.total < lower.value * row.scale:
                broken = basic, lower, True
            elif upper is not None and row.total > upper.value * row.scale:
                broken = basic, upper, False
            else:
                continue
            if first is None or _order(basic) < _order(first[0]):
                first = broken
        return first

    def _entering(self, basic: Column, is_below: bool, by_bland: bool) -> Column | None:
        """Returns a column of the row that can move the basic column into its bounds."""
        free = [column for column, c in self.rows[basic].terms.items() if self._can_move(column, (c > 0) == is_below)]
        if by_bland:
            return min(free, key=_order, default=None)
        return min(free, key=lambda column: (len(self.users[column]), _order(column)), default=None)

    def _can_move(self, column: Column, is_up: bool) -> bool:
        bound = (self.upper if is_up else self.lower).get(column)
        return bound is None or self.values[column] != bound.value

    def _explained(self, basic: Column, bound: Bound, is_below: bool) -> Conflict:
        row = self.rows[basic]
        tight = ((self.upper if (c > 0) == is_below else self.lower, column, c) for column, c in row.terms.items())
        return _sum((bound, row.scale), *((bounds[column], abs(c)) for bounds, column, c in tight))

    def _pivot(self, basic: Column, entering: Column, value: int) -> None:
        """Exchanges two columns; the one that was basic gets the value."""
        self.spend()
        row, before = self.rows.pop(basic), self.values.pop(entering)
        pivot = row.terms.pop(entering)
        sign = 1 if pivot > 0 else -1
        total = sign * (row.scale * value - row.total + pivot * before)
        terms = {basic: sign * row.scale, **{column: -sign * c for column, c in row.terms.items()}}
        solved = Row(abs(pivot), terms, total)
        self.values[basic] = value
        others = self.users.pop(entering)
        del others[basic]
        for column in row.terms:
            del self.users[column][basic]
            self.users[column][entering] = None
        self.rows[entering] = solved
        self.users[basic] = {entering: None}
        change = total - solved.scale * before
        for other in others:
            self._substitute(other, entering, solved, change)

    def _substitute(self, other: Column, entering: Column, solved: Row, change: int) -> None:
        row = self.rows[other]
        row.replace(entering, solved, change)
        for column in solved.terms:
            if row.terms[column]:
                self.users[column][other] = None
            else:
                del row.terms[column]
                del self.users[column][other]

    # --- optima -------------------------------------------------------------------------------------------------

    def value(self, terms: Terms) -> Rational:
        """Returns the present value of a form."""
        return _simple(sum((c * self.at(variable) for variable, c in terms.items()), 0))

    def greatest(self, terms: Terms, enough: Rational | None = None) -> Rational | None:
        """Returns the greatest value of a form within all bounds, which the values satisfy, or one that is `enough`;
        None if there is none, or if it is not found in time.
        """
        for _ in range(_MOST_PIVOTS):
            row = self._row(terms)
            if enough is not None and row.total >= enough * row.scale:
                return row.value
            entering = min(
                (column for column, c in row.terms.items() if self._can_move(column, c > 0)), key=_order, default=None
            )
            if entering is None:
                return row.value
            if not self._improve(entering, row.terms[entering] > 0):
                return None
        return None

    def _improve(self, entering: Column, is_up: bool) -> bool:
        """Moves a column as far as all bounds allow; returns False if it can move without an end."""
        own = (self.upper if is_up else self.lower).get(entering)
        room = None if own is None else (abs(own.value - self.values[entering]), 1)
        leaving: tuple[Column, Bound] | None = None
        for basic in sorted(self.users[entering], key=_order):
            row = self.rows[basic]
            rate = row.terms[entering]
            bound = (self.upper if (rate > 0) == is_up else self.lower).get(basic)
            if bound is None:
                continue
            distance = abs(bound.value * row.scale - row.total), abs(rate)
            if room is None or distance[0] * room[1] < room[0] * distance[1]:
                room, leaving = distance, (basic, bound)
        if leaving is not None:
            self._pivot(leaving[0], entering, leaving[1].value)
        elif own is not None:
            self.spend()
            self._move(entering, own.value)
        return room is not None


def _simple(number: Rational) -> Rational:
    """Returns the same number, as an integer if it is one."""
    return number if type(number) is int or number.denominator != 1 else number.numerator


def _sum(*weighted: tuple[Bound, int]) -> Conflict:
    total: Conflict = {}
    for bound, weight in weighted:
        total[bound.label] = total.get(bound.label, 0) + bound.factor * weight
    return total
