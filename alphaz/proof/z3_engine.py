"""The second engine of proofs: z3, on the untransformed formula of a set.

isl decides a set by decomposing it into convex pieces, and a few hundred branches make too many of them. For z3 they
are Boolean structure over small polyhedra. Its budgets are numbers of its own steps, so that results are the same on
every machine.
Source: Bjørner, de Moura, Nachmanson, Wintersteiger, Programming Z3 (2018), linear integer arithmetic."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from alphaz.certificate.smt import logic_of, smt_text, symbol
from alphaz.poly import Formula, OutOfBudget
from alphaz.proof.certificate_formulas import violations_of

STEPS = 40_000_000
"""The budget of z3 for one query, in its units of work (`rlimit`): about ten seconds."""

_SEARCH = 10_000_000
"""The budget for the search of the smallest point."""

# Strategies of a query: z3's older arithmetic or its newer one, which differ in strength, or the tactics of the logic
# (0); with a seed, as results vary with it; and with a budget of steps. The budget of one case before it is split:
_CASE = ((2, 0, 200_000), (0, 0, 300_000), (6, 0, 100_000))
# The budget of facts that are not split: another short try succeeds more often than a longer one.
_PLAIN = (
    (2, 1, 500_000), (6, 1, 200_000), (0, 0, 1_000_000), (2, 2, 500_000), (6, 2, 200_000), (2, 3, 500_000),
    (6, 3, 200_000), (2, 4, 1_000_000), (6, 4, 400_000), (2, 5, 2_000_000),
)  # fmt: skip

# The budget to show that one row follows from others.
_ROW = 10_000

# The cost of a query itself, in the same units.
_ASKING = 40_000

# The search for least values ends here; a dimension without one in this range takes any value.
_FAR = 1 << 20


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """A point of the set, and whether it is the smallest."""

    point: Mapping[str, int]
    is_smallest: bool


def find(formula: Formula) -> SolverAnswer | None:
    """Returns the smallest point, in the order of `poly.smallest`; None if the set is empty. Raises OutOfBudget.

    If the smallest point takes too long to find, another one is returned."""
    import z3  # noqa: PLC0415 - a fifth of a second, for questions that are hard to isl

    names = (*formula.space.parameters, *formula.space.names)
    violations = violations_of(formula)
    solver = _solver(z3, smt_text(violations), logic_of(violations), STEPS)
    search = _Search(z3, solver, len(formula.space.parameters), tuple(_variable(z3, solver, name) for name in names))
    first = search.point()
    if first is None:
        return None
    solver.set("rlimit", _SEARCH)
    try:
        return SolverAnswer(dict(zip(names, search.smallest(first), strict=True)), True)
    except OutOfBudget:
        return SolverAnswer(dict(zip(names, first, strict=True)), False)


def is_empty(formula: Formula, compared: Sequence[tuple[str, str]] = (), is_soon: bool = False) -> bool:
    """Returns True if the set is shown to be empty, as an intermediate step of a proof. Raises OutOfBudget.

    A long search first tries the whole formula; then each piece; then the formula without implied facts. If these fail,
    two integers that are `compared` make three cases: less, equal and greater, which are exhaustive. In each case the
    next two are compared, and so on. (z3 branches on one variable at a time, and so rarely compares the numbers of two
    tiles.)"""
    violations = violations_of(formula)
    text, logic = smt_text(violations), logic_of(violations)
    answer = _is_empty(text, logic, bool(violations.absent), tuple(compared), is_soon)
    if answer is None:
        raise OutOfBudget("z3 does not know soon" if is_soon else "z3 does not know")
    return answer


@lru_cache(maxsize=2048)
def _is_empty(
    text: str, logic: str, has_absent: bool, compared: tuple[tuple[str, str], ...], is_soon: bool
) -> bool | None:
    """Returns the same for a set as text; None where it is not known. The answers are kept: a proof asks some of its
    questions again, and each has a context of its own, whose making takes longer than most answers."""
    import z3  # noqa: PLC0415 - as above

    context = _context(z3)
    facts = list(z3.parse_smt2_string(text, ctx=context))
    known = [tuple(z3.Int(symbol(name), ctx=context) for name in pair) for pair in compared]
    cases = _Cases(z3=z3, context=context, logic=logic, compared=known, left=STEPS // 5)
    if is_soon:
        return cases.tried(_CASE, facts)
    ways: list[Callable[[_Cases], bool | None]] = [lambda all_: all_.tried(_PLAIN, facts)]
    if not has_absent:
        ways += [lambda all_: all_.apart(facts), lambda all_: all_.tried(_PLAIN, all_.shortened(facts))]
    for way in ways:
        answer = way(replace(cases))
        if answer is not None:
            return answer
    try:
        return cases.are_empty(facts)
    except OutOfBudget:
        return None


def _context(z3: Any) -> Any:
    return _context_type(z3)()


@cache
def _context_type(z3: Any) -> Any:
    """A context that may be released while it is built, after a timeout: z3's own raises an error then."""
    return type("Context", (z3.Context,), {"owner": False})


@dataclass(slots=True)
class _Cases:
    """Emptiness queries for parts of one set, which share the steps."""

    z3: Any
    context: Any
    logic: str
    compared: Sequence[tuple[Any, ...]]
    left: int

    def shortened(self, facts: Sequence[Any]) -> list[Any]:
        """The facts without those that follow from the rest: the negated obligation is long, and most of it is implied.

        `not (a and b)` becomes `not b` if the other facts imply a; facts that `not b` implies are dropped from the
        others."""
        refused = [_rows(self.z3, fact.arg(0)) for fact in facts if self.z3.is_not(fact)]
        known = [fact for fact in facts if not self.z3.is_not(fact)]
        solver = self.z3.SimpleSolver(ctx=self.context)
        solver.add(*known)
        solver.set("rlimit", _ROW)
        news = [True]
        while news:
            refused = [[row for row in rows if not self._follows(solver, row)] for rows in refused]
            news = [self.z3.Not(*rows) for rows in refused if len(rows) == 1]
            refused = [rows for rows in refused if len(rows) != 1]
            solver.add(*news)
            known += news
        return known + [self.z3.Not(self.z3.And(*rows, self.z3.BoolVal(True, self.context))) for rows in refused]

    def _follows(self, solver: Any, row: Any) -> bool:
        """Returns True if the solver shows that its facts imply the row."""
        return bool(self._answered(solver, self.z3.Not(row)) == self.z3.unsat)

    def tried(self, ways: Sequence[tuple[int, int, int]], facts: Sequence[Any]) -> bool | None:
        """Returns True if no integers satisfy the facts, by the first strategy that decides; None if none does."""
        for arithmetic, seed, steps in ways:
            if self.left <= 0:
                break
            solver = self._simple(arithmetic, seed) if arithmetic else self.z3.SolverFor(self.logic, ctx=self.context)
            solver.set("rlimit", min(steps, self.left))
            solver.add(*facts)
            self.left -= _ASKING
            answer = self._answered(solver)
            if answer != self.z3.unknown:
                return bool(answer == self.z3.unsat)
        return None

    def apart(self, facts: Sequence[Any]) -> bool | None:
        """Returns the result for each disjunct of the longest fact separately."""
        longest = max(filter(self.z3.is_or, facts), key=lambda fact: fact.num_args(), default=None)
        pieces = [] if longest is None else longest.children()
        others = [fact for fact in facts if fact is not longest]
        for piece in pieces:
            are_apart = replace(self).tried(_PLAIN, [piece, *others])
            if not are_apart:
                return are_apart
        return True if pieces else None

    def are_empty(self, facts: Sequence[Any], depth: int = 0) -> bool:
        """Returns True if no integers satisfy the facts; the first `depth` are compared already. Raises OutOfBudget."""
        is_last = depth == len(self.compared)
        answer = self.tried((*_CASE, (0, 0, self.left)) if is_last else _CASE, facts)
        if answer is not None:
            return answer
        if is_last or self.left <= 0:
            raise OutOfBudget("z3 does not know")
        one, other = self.compared[depth]
        return all(self.are_empty([*facts, fact], depth + 1) for fact in (one < other, one == other, one > other))

    def _simple(self, arithmetic: int, seed: int) -> Any:
        solver = self.z3.SimpleSolver(ctx=self.context)
        solver.set("arith.solver", arithmetic)
        solver.set("random_seed", seed)
        return solver

    def _answered(self, solver: Any, *facts: Any) -> Any:
        before = _steps(solver)
        answer = solver.check(*facts)
        self.left -= _steps(solver) - before
        return answer


def _rows(z3: Any, fact: Any) -> list[Any]:
    """The conjuncts of a fact."""
    return list(fact.children()) if z3.is_and(fact) else [fact]


def _steps(solver: Any) -> int:
    """The steps spent by the solver's context, listed near the end of its statistics."""
    statistics = solver.statistics()
    return int(
        next(
            (
                statistics[position][1]
                for position in reversed(range(len(statistics)))
                if statistics[position][0] == "rlimit count"
            ),
            0,
        )
    )


def _solver(z3: Any, text: str, logic: str, steps: int) -> Any:
    solver = z3.SolverFor(logic, ctx=_context(z3))
    solver.set("rlimit", steps)
    solver.from_string(text)
    return solver


def _variable(z3: Any, solver: Any, name: str) -> Any:
    return z3.Int(symbol(name), ctx=solver.ctx)


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for a smallest point. Results are asserted in the solver, which belongs to this search."""

    z3: Any
    solver: Any
    parameters: int
    variables: tuple[Any, ...]

    def point(self, *more: Any) -> tuple[int, ...] | None:
        """Returns a point that satisfies these facts as well. Raises OutOfBudget."""
        answer = self.solver.check(*more)
        if answer == self.z3.unknown:
            raise OutOfBudget(f"z3: {self.solver.reason_unknown()}")
        if answer == self.z3.unsat:
            return None
        model = self.solver.model()
        return tuple(model.eval(variable, model_completion=True).as_long() for variable in self.variables)

    def smallest(self, point: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the point with the least sum of parameters, then each parameter, then each dimension; non-negative
        values are preferred."""
        parameters, dimensions = range(self.parameters), range(self.parameters, len(self.variables))
        point = self._not_negative(point, parameters)
        if len(parameters) > 1:
            point = self._least(point, parameters) or point
        point = self._each_least(point, parameters)
        return self._each_least(self._not_negative(point, dimensions), dimensions)

    def _not_negative(self, point: tuple[int, ...], places: range) -> tuple[int, ...]:
        for place in places:
            fact = self.variables[place] >= 0
            candidate = point if point[place] >= 0 else self.point(fact)
            if candidate is not None:
                self.solver.add(fact)
                point = candidate
        return point

    def _each_least(self, point: tuple[int, ...], places: range) -> tuple[int, ...]:
        """Each coordinate at its least value or, if it is unbounded below, at its greatest, or at any."""
        for place in places:
            only = range(place, place + 1)
            point = self._least(point, only) or self._least(point, only, -1) or point
            self.solver.add(self.variables[place] == point[place])
        return point

    def _least(self, point: tuple[int, ...], places: range, sign: int = 1) -> tuple[int, ...] | None:
        """A point with the least sum over some places, which is fixed from now on; None if none is found in the
        range."""
        total = sign * sum(self.variables[place] for place in places)
        value = sign * sum(point[place] for place in places)
        below = value - 1
        while (smaller := self.point(total <= below)) is not None:
            point, value = smaller, sign * sum(smaller[place] for place in places)
            if value < -_FAR:
                return None
            below = value - 1 - 2 * abs(value)
        while below + 1 < value:
            middle = (below + value) // 2
            if (smaller := self.point(total <= middle)) is None:
                below = middle
            else:
                point, value = smaller, sign * sum(smaller[place] for place in places)
        self.solver.add(total == value)
        return point
