"""Exact simplex over bounded linear forms, with conflicts as sums of facts.

Each linear form is a column: a variable, or a slack that is defined by a row over variables. A fact is a bound of a
column. A conflict gives each of its facts a factor, so that the sum of the facts has no variable and is negative.

Source: Dutertre and de Moura, A Fast Linear-Arithmetic Solver for DPLL(T) (CAV 2006).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from alphaz.kernel.checker import Fact

Terms = Mapping[int, int]
Slack = tuple[tuple[int, int], ...]
Column = int | Slack
Rational = int | Fraction
"""Integers are most of all values, and faster than fractions."""
Conflict = dict[int, Rational]
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
class Simplex:
    """The tableau, with values that satisfy the bounds of all columns that are not basic.

    `steps` is the number of pivots and nodes that are left.
    """

    steps: int
    rows: dict[Column, dict[Column, Rational]] = field(default_factory=dict)
    # The basic columns in whose rows a column occurs.
    users: dict[Column, dict[Column, None]] = field(default_factory=dict)
    values: dict[Column, Rational] = field(default_factory=dict)
    lower: dict[Column, Bound] = field(default_factory=dict)
    upper: dict[Column, Bound] = field(default_factory=dict)
    _trail: list[tuple[dict[Column, Bound], Column, Bound | None]] = field(default_factory=list)

    def spend(self) -> None:
        """Counts a step. Raises OutOfSteps."""
        self.steps -= 1
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
        if column in self.values:
            return
        self.values[column] = 0
        if isinstance(column, int):
            self.users[column] = {}
            return
        row: dict[Column, Rational] = {}
        for variable, c in column:
            self._add(variable)
            for other, factor in self.rows.get(variable, {variable: 1}).items():
                row[other] = row.get(other, 0) + c * factor
        self.rows[column] = {other: c for other, c in row.items() if c}
        self.values[column] = sum((c * self.values[variable] for variable, c in column), 0)
        for other in self.rows[column]:
            self.users[other][column] = None

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
            self.values[basic] = _simple(self.values[basic] + self.rows[basic][column] * difference)

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
        for basic in self.rows:
            value, lower, upper = self.values[basic], self.lower.get(basic), self.upper.get(basic)
            if lower is not None and value < lower.value:
                broken = basic, lower, True
            elif upper is not None and value > upper.value:
                broken = basic, upper, False
            else:
                continue
            if first is None or _order(basic) < _order(first[0]):
                first = broken
        return first

    def _entering(self, basic: Column, is_below: bool, by_bland: bool) -> Column | None:
        """Returns a column of the row that can move the basic column into its bounds."""
        free = [column for column, c in self.rows[basic].items() if self._can_move(column, (c > 0) == is_below)]
        if by_bland:
            return min(free, key=_order, default=None)
        return min(free, key=lambda column: (len(self.users[column]), _order(column)), default=None)

    def _can_move(self, column: Column, is_up: bool) -> bool:
        bound = (self.upper if is_up else self.lower).get(column)
        return bound is None or self.values[column] != bound.value

    def _explained(self, basic: Column, bound: Bound, is_below: bool) -> Conflict:
        tight = (
            (self.upper if (c > 0) == is_below else self.lower, column, c) for column, c in self.rows[basic].items()
        )
        return _sum((bound, 1), *((bounds[column], _size(c)) for bounds, column, c in tight))

    def _pivot(self, basic: Column, entering: Column, value: int) -> None:
        """Exchanges two columns; the one that was basic gets the value."""
        self.spend()
        row = self.rows.pop(basic)
        pivot = row.pop(entering)
        change = _ratio(value - self.values[basic], pivot)
        self.values[basic] = value
        self.values[entering] = _simple(self.values[entering] + change)
        others = self.users.pop(entering)
        del others[basic]
        for other in others:
            self.values[other] = _simple(self.values[other] + self.rows[other][entering] * change)
        solved = {basic: _ratio(1, pivot), **{column: _ratio(-c, pivot) for column, c in row.items()}}
        for column in row:
            del self.users[column][basic]
            self.users[column][entering] = None
        self.rows[entering] = solved
        self.users[basic] = {entering: None}
        for other in others:
            self._substitute(other, entering, solved)

    def _substitute(self, other: Column, entering: Column, solved: Mapping[Column, Rational]) -> None:
        row = self.rows[other]
        factor = row.pop(entering)
        for column, c in solved.items():
            total = _simple(row.get(column, 0) + factor * c)
            if total:
                row[column] = total
                self.users[column][other] = None
            elif column in row:
                del row[column]
                del self.users[column][other]

    # --- optima -------------------------------------------------------------------------------------------------

    def value(self, terms: Terms) -> Rational:
        """Returns the present value of a form."""
        return sum((c * self.values.get(variable, 0) for variable, c in terms.items()), 0)

    def greatest(self, terms: Terms, enough: Rational | None = None) -> Rational | None:
        """Returns the greatest value of a form within all bounds, which the values satisfy, or one that is `enough`;
        None if there is none, or if it is not found in time.
        """
        for _ in range(_MOST_PIVOTS):
            if enough is not None and (value := self.value(terms)) >= enough:
                return value
            rates = self._rates(terms)
            entering = min(
                (column for column, c in rates.items() if self._can_move(column, c > 0)), key=_order, default=None
            )
            if entering is None:
                return self.value(terms)
            if not self._improve(entering, rates[entering] > 0):
                return None
        return None

    def _rates(self, terms: Terms) -> dict[Column, Rational]:
        """Returns a form over the columns that are not basic."""
        rates: dict[Column, Rational] = {}
        for variable, c in terms.items():
            self._add(variable)
            for column, factor in self.rows.get(variable, {variable: 1}).items():
                rates[column] = rates.get(column, 0) + c * factor
        return {column: c for column, c in rates.items() if c}

    def _improve(self, entering: Column, is_up: bool) -> bool:
        """Moves a column as far as all bounds allow; returns False if it can move without an end."""
        own = (self.upper if is_up else self.lower).get(entering)
        room = None if own is None else _size(own.value - self.values[entering])
        leaving: tuple[Column, Bound] | None = None
        for basic in sorted(self.users[entering], key=_order):
            rate = self.rows[basic][entering]
            bound = (self.upper if (rate > 0) == is_up else self.lower).get(basic)
            if bound is None:
                continue
            distance = _size(_ratio(bound.value - self.values[basic], rate))
            if room is None or distance < room:
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


def _size(number: Rational) -> Rational:
    return -number if number < 0 else number


def _ratio(one: Rational, other: Rational) -> Rational:
    if other == 1 or other == -1:
        return one * other
    return _simple(Fraction(one) / other)


def _sum(*weighted: tuple[Bound, Rational]) -> Conflict:
    total: Conflict = {}
    for bound, weight in weighted:
        total[bound.label] = total.get(bound.label, 0) + bound.factor * weight
    return total
