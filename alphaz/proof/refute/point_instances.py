"""Proposes an instance of a set that must be absent, from one point by isl and the bounds that are tight there.

A wrong generalisation only proves nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import ceil, floor, gcd
from random import Random

from alphaz.kernel.checker import Fact, Form, NestedSet, ProofGoal, plus
from alphaz.poly import Formula, OutOfBudget, Space, budget
from alphaz.poly.algorithms.lexicographic_extremes import extremes
from alphaz.proof.refute.equalities import Solved, replaced, solved_equalities
from alphaz.proof.refute.extreme_instances import ProposedInstance, conditions, names_of
from alphaz.proof.refute.simplex import OutOfSteps, Simplex

# isl operations for the points of one set, whose outer names have values.
OPERATIONS = 200_000
# Sums of two rows, of which each has few variables that are not known; and how often they are formed.
_MOST_COMBINED, _MOST_OPEN, _ROUNDS = 1_000, 3, 3
# How many pivots for a point that is spread are one step of the search.
_PIVOTS_OF_STEP = 4
# The greatest coordinate of such a point, the steps of its search, and how often a coordinate is drawn again.
_FAR, _STEPS, _MOST_DRAWN_AGAIN = 50_000, 5_000, 50

Key = tuple[tuple[int, int], ...]
KnownQuotient = Callable[[Form, int, Sequence[int], bool], Form | None]
"""Returns a form that is equal to the quotient of a form by a divisor in the goal, and at the values of a point, where
the division may be exact.
"""


def _not_known(form: Form, by: int, values: Sequence[int], is_exact: bool) -> None:
    return None


def instances_at(
    goal: ProofGoal, absence: NestedSet, values: Sequence[int], is_whole: bool, known: KnownQuotient = _not_known
) -> list[ProposedInstance]:
    """Returns the proposals from the points of the absent set at these values of the variables of the goal. One that is
    not `is_whole` is taken without the sets that are absent inside it.
    """
    symbolic = ProofGoal(variables=goal.variables).with_point(absence, [])
    count = len(absence.stated["names"]) if isinstance(absence.stated["names"], list) else 0
    instances = []
    for point in _points(absence, values, is_whole):
        least = _Generalisation([*values, *point], goal.variables, solved_equalities(goal.facts), known)
        least.add(symbolic)
        instances.append(least.instance(count))
    return instances


def _points(absence: NestedSet, values: Sequence[int], is_whole: bool) -> Iterator[tuple[int, ...]]:
    """Yields the least and the greatest point of the set where its environment has these values."""
    environment: dict[str, Form] = {name: ({}, _value(form, values)) for name, form in absence.environment.items()}
    stated = absence.stated if is_whole else {**absence.stated, "absent": []}
    inside = ProofGoal().with_point(NestedSet(environment, stated, absence.table), [])
    parts, absent, variables = conditions(inside)
    formula = Formula(
        Space((), names_of(0, inside.variables)),
        names_of(inside.variables, variables),
        parts,
        absent=absent,
    )
    try:
        with budget(OPERATIONS):
            extreme_points = extremes(formula.domain(), inside.variables, 1)
    except OutOfBudget:
        return
    for extreme in extreme_points:
        yield tuple(output.constant for output in extreme.outputs)


def _value(form: Form, values: Sequence[int] | Mapping[int, int]) -> int:
    return form[1] + sum(c * values[variable] for variable, c in form[0].items())


@dataclass(slots=True)
class _Generalisation:
    """Expressions for all variables from number `first`, by rows that hold at their values.

    `expressions` are over the variables before and over `quotients`, which are numbered from `first`, and have `own`
    values.
    """

    values: list[int]
    first: int
    solved: Solved
    known: KnownQuotient = _not_known
    rows: list[Fact] = field(default_factory=list)
    expressions: dict[int, Form] = field(default_factory=dict)
    quotients: dict[tuple[Key, int, int], int] = field(default_factory=dict)
    own: list[int] = field(default_factory=list)

    def add(self, goal: ProofGoal) -> None:
        """Adds the facts of a goal, and of the first alternative of each choice that holds."""
        self.rows += goal.facts
        for choice in goal.choices:
            for alternative in choice:
                inside = alternative(ProofGoal(variables=len(self.values)))
                known = len(self.values)
                self.values += self._quotient_values(inside, known)
                if all(_holds(fact, self.values) for fact in inside.facts) and not inside.choices:
                    self.rows += inside.facts
                    break
                del self.values[known:]

    def _quotient_values(self, inside: ProofGoal, known: int) -> Iterator[int]:
        """Yields the values of new variables: each is the greatest that its first fact allows."""
        values = list(self.values)
        for variable in range(known, inside.variables):
            form = next(form for (form, _) in inside.facts if form[0].get(variable, 0) < 0)
            rest = {other: c for other, c in form[0].items() if other != variable}
            values.append(_value((rest, form[1]), values) // -form[0][variable])
            yield values[-1]

    def instance(self, count: int) -> ProposedInstance:
        """Returns the instance for the first `count` variables."""
        defined = solved_equalities(self.rows, self.first)
        bounds = bounds_of(self.rows, defined, self.first)
        open_ = {variable for variable in range(self.first, len(self.values)) if variable not in defined}
        while open_:
            best = min(self._candidates(open_, bounds), key=lambda candidate: candidate[0], default=None)
            if best is None:
                variable = min(open_)
                self.expressions[variable] = {}, self.values[variable]
            else:
                _, variable, expression, by, sign, is_exact = best
                self.expressions[variable] = self._quotient(expression, by, sign, is_exact)
            open_.remove(variable)
        for variable, form in reversed(defined.items()):
            self.expressions[variable] = self._expressed(form)
        quotients = tuple(((dict(terms), constant), by) for terms, constant, by in self.quotients)
        return ProposedInstance(quotients, tuple(self.expressions[self.first + position] for position in range(count)))

    def _expressed(self, form: Form) -> Form:
        """Returns a form over the variables before and the quotients."""
        expressed: Form = {}, form[1]
        for variable, factor in form[0].items():
            expressed = plus(
                expressed, factor, self.expressions[variable] if variable >= self.first else ({variable: 1}, 0)
            )
        return expressed

    def _candidates(
        self, open_: set[int], bounds: Mapping[Key, int]
    ) -> Iterator[tuple[tuple[int, ...], int, Form, int, int, bool]]:
        """Yields for rows that bound one open variable tightly: a rank, the variable, and sign * floor(form / by), and
        whether the division is exact.
        """
        for number, (terms, constant) in enumerate(bounds.items()):
            unknown = [(variable, c) for variable, c in terms if variable in open_]
            if len(unknown) != 1:
                continue
            ((variable, c),) = unknown
            rest = self._expressed(({other: factor for other, factor in terms if other != variable}, constant))
            sign = -1 if c > 0 else 1
            if sign * (self.at(rest) // abs(c)) == self.values[variable]:
                other = bounds.get(tuple((variable_, -factor) for variable_, factor in terms))
                is_forced = other is not None and constant + other < abs(c)
                rank = not is_forced, abs(c) != 1, not rest[0], c > 0, -min(rest[0], default=0), number
                yield rank, variable, rest, abs(c), sign, other is not None and constant + other == 0

    def at(self, form: Form) -> int:
        return form[1] + sum(
            c * (self.own[variable - self.first] if variable >= self.first else self.values[variable])
            for variable, c in form[0].items()
        )

    def _quotient(self, form: Form, by: int, sign: int, is_exact: bool) -> Form:
        form = replaced(form, self.solved)
        if by == 1:
            return plus(({}, 0), sign, form)
        whole, rest = divided(form, by)
        rest, by = self._flattened(*reduced(rest, by))
        if by == 1:
            return plus(plus(({}, 0), sign, whole), sign, rest)
        if max(rest[0], default=0) < self.first:
            equal = self.known(rest, by, self.values[: self.first], is_exact)
            if equal is not None:
                return plus(plus(({}, 0), sign, whole), sign, equal)
        key = key_of(rest[0]), rest[1], by
        if key not in self.quotients:
            self.quotients[key] = self.first + len(self.quotients)
            self.own.append(self.at(rest) // by)
        return plus(plus(({}, 0), sign, whole), sign, ({self.quotients[key]: 1}, 0))

    def _flattened(self, form: Form, by: int) -> tuple[Form, int]:
        """Returns a quotient whose numerator has no quotient with factor 1: `(x / 12 + y) / 6` is `(x + 12 y) / 72`."""
        definitions = {number: key for key, number in self.quotients.items()}
        while True:
            inner = next((number for number, c in form[0].items() if c == 1 and number in definitions), None)
            if inner is None:
                return form, by
            terms, constant, divisor = definitions[inner]
            rest = {number: c for number, c in form[0].items() if number != inner}
            form, by = reduced(plus((dict(terms), constant), divisor, (rest, form[1])), by * divisor)


def divided(form: Form, by: int) -> tuple[Form, Form]:
    """Returns the quotient of the terms that `by` divides, and the other terms: one quotient has one form."""
    whole = {variable: c // by for variable, c in form[0].items() if c % by == 0}
    rest = {variable: c for variable, c in form[0].items() if c % by}
    return (whole, form[1] // by), (rest, form[1] % by)


def reduced(form: Form, by: int) -> tuple[Form, int]:
    """Returns the same quotient by coprime numbers."""
    divisor = gcd(by, *form[0].values())
    return ({variable: c // divisor for variable, c in form[0].items()}, form[1] // divisor), by // divisor


def bounds_of(rows: Sequence[Fact], defined: Solved, first: int) -> dict[Key, int]:
    """Returns the terms of rows without the defined variables, each with the least constant: the sum is at least 0. For
    each variable from number `first`, pairs of rows are added up so that it cancels out.
    """
    bounds: dict[Key, int] = {}
    forms = [replaced(form, defined) for form, _ in rows]
    forms += [plus(({}, 0), -1, form) for form, (_, is_equality) in zip(forms, rows, strict=True) if is_equality]
    for _ in range(_ROUNDS):
        for form in forms:
            if form[0]:
                key = key_of(form[0])
                bounds[key] = min(form[1], bounds.get(key, form[1]))
        every = [(dict(key), constant) for key, constant in bounds.items()]
        forms = list(islice(_combined(every, first), _MOST_COMBINED))
    return bounds


def _combined(forms: Sequence[Form], first: int) -> Iterator[Form]:
    users: dict[int, list[Form]] = {}
    for form in forms:
        open_ = [variable for variable in form[0] if variable >= first]
        for variable in open_ if len(open_) <= _MOST_OPEN else ():
            users.setdefault(variable, []).append(form)
    for variable, all_ in users.items():
        below = [form for form in all_ if form[0][variable] > 0]
        for one in (form for form in all_ if form[0][variable] < 0):
            for other in below:
                factor = gcd(one[0][variable], other[0][variable])
                yield plus(plus(({}, 0), other[0][variable] // factor, one), -one[0][variable] // factor, other)


def key_of(terms: Mapping[int, int]) -> Key:
    return tuple(sorted(terms.items()))


def _holds(fact: Fact, values: Sequence[int]) -> bool:
    form, is_equality = fact
    value = _value(form, values)
    return value == 0 if is_equality else value >= 0


def spread_points(
    goal: ProofGoal, count: int, spend: Callable[[int], None] = lambda steps: None
) -> Iterator[list[int]]:
    """Yields up to `count` integer points within the facts, away from bounds: rows that are tight there are tight at
    most points. The same goal gives the same points. `spend` gets the price of each.
    """
    for seed in range(count):
        simplex = Simplex(_STEPS)
        point = _spread_point(goal, Random(seed), simplex)
        spend((_STEPS - max(simplex.steps, 0) + len(goal.facts) + 2 * goal.variables) // _PIVOTS_OF_STEP)
        if point is not None:
            yield point


def _spread_point(goal: ProofGoal, random: Random, simplex: Simplex) -> list[int] | None:
    """Returns a point of which each coordinate is drawn from the middle of the range that the earlier ones leave. Where
    they leave none, one of them is drawn again.
    """
    point: list[int] = []
    drawn: list[tuple[int, int]] = []
    try:
        for fact in (*goal.facts, *_box(goal.variables)):
            if simplex.assume(fact, 0) is not None:
                return None
        for _ in range(goal.variables + _MOST_DRAWN_AGAIN):
            if len(point) == goal.variables:
                return point
            interval = _range(simplex, len(point))
            if interval is not None:
                low, high = interval
                if low < high:
                    drawn.append((len(point), simplex.mark()))
                third = (high - low) // 3
                point.append(random.randint(low + third, high - third))
                interval = None if simplex.assume((({len(point) - 1: 1}, -point[-1]), True), 0) else interval
            if interval is None:
                if not drawn:
                    return None
                del drawn[random.randrange(len(drawn)) + 1 :]
                first, mark = drawn.pop()
                simplex.back(mark)
                del point[first:]
    except OutOfSteps:
        pass
    return None


def _box(variables: int) -> Iterator[Fact]:
    for variable in range(variables):
        for sign in (1, -1):
            yield ({variable: sign}, _FAR), False


def _range(simplex: Simplex, variable: int) -> tuple[int, int] | None:
    """Returns the least and the greatest integer that a variable may have, if there are any."""
    if simplex.conflict() is not None:
        return None
    greatest, least = simplex.greatest({variable: 1}), simplex.greatest({variable: -1})
    if greatest is None or least is None or ceil(-least) > floor(greatest):
        return None
    return ceil(-least), floor(greatest)
