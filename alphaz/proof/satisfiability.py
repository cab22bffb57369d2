"""The second engine of proofs: z3, asked about a set as it is stated.

isl decides a set by taking it apart into convex pieces, of which a few hundred branches make too many to count. To z3
they are Boolean structure over small polyhedra. Its limits are numbers of its own steps, so that the same question has
the same answer on every machine.
Source: Bjørner, de Moura, Nachmanson, Wintersteiger, Programming Z3 (2018), linear integer arithmetic.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from alphaz.certificate.smt import logic_of, smt_text, symbol
from alphaz.poly import Formula, OutOfBudget
from alphaz.proof.plain import violations_of

STEPS = 40_000_000
"""What z3 may spend on one question, in its units of work (`rlimit`): about ten seconds."""

_SEARCH = 10_000_000
"""And on the search of the smallest point."""

# Values are looked for up to here; where a dimension has no least one, or one further off, any will do.
_FAR = 1 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """A point of the set, and whether it is the smallest."""

    point: Mapping[str, int]
    is_smallest: bool


def find(formula: Formula) -> Found | None:
    """The smallest point, in the order of `poly.smallest`; None where the set is empty. Raises OutOfBudget.

    Where it takes too long to find the smallest, another is given.
    """
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
        return Found(dict(zip(names, search.smallest(first), strict=True)), True)
    except OutOfBudget:
        return Found(dict(zip(names, first, strict=True)), False)


def is_empty(formula: Formula) -> bool:
    """Whether the set is empty, for what is only a step on the way. Raises OutOfBudget."""
    import z3  # noqa: PLC0415 - as above

    violations = violations_of(formula)
    answer = _solver(z3, smt_text(violations), logic_of(violations), STEPS // 10).check()
    if answer == z3.unknown:
        raise OutOfBudget("z3 does not know")
    return bool(answer == z3.unsat)


def _solver(z3: Any, text: str, logic: str, steps: int) -> Any:
    solver = z3.SolverFor(logic, ctx=z3.Context())
    solver.set("rlimit", steps)
    solver.from_string(text)
    return solver


def _variable(z3: Any, solver: Any, name: str) -> Any:
    return z3.Int(symbol(name), ctx=solver.ctx)


@dataclass(frozen=True, slots=True)
class _Search:
    """What has been found out is asserted in the solver, which is this search's own."""

    z3: Any
    solver: Any
    parameters: int
    variables: tuple[Any, ...]

    def point(self, *more: Any) -> tuple[int, ...] | None:
        """Any point where these facts hold as well. Raises OutOfBudget."""
        answer = self.solver.check(*more)
        if answer == self.z3.unknown:
            raise OutOfBudget(f"z3: {self.solver.reason_unknown()}")
        if answer == self.z3.unsat:
            return None
        model = self.solver.model()
        return tuple(model.eval(each, model_completion=True).as_long() for each in self.variables)

    def smallest(self, point: tuple[int, ...]) -> tuple[int, ...]:
        """The least sum of parameters, then each parameter, then each dimension; those that can are not negative."""
        parameters, dimensions = range(self.parameters), range(self.parameters, len(self.variables))
        point = self._not_negative(point, parameters)
        if len(parameters) > 1:
            point = self._least(point, parameters) or point
        point = self._each_least(point, parameters)
        return self._each_least(self._not_negative(point, dimensions), dimensions)

    def _not_negative(self, point: tuple[int, ...], places: range) -> tuple[int, ...]:
        for at in places:
            fact = self.variables[at] >= 0
            found = point if point[at] >= 0 else self.point(fact)
            if found is not None:
                self.solver.add(fact)
                point = found
        return point

    def _each_least(self, point: tuple[int, ...], places: range) -> tuple[int, ...]:
        """Each at its least value, or where it has none at its greatest, or at any."""
        for at in places:
            only = range(at, at + 1)
            point = self._least(point, only) or self._least(point, only, -1) or point
            self.solver.add(self.variables[at] == point[at])
        return point

    def _least(self, point: tuple[int, ...], places: range, sign: int = 1) -> tuple[int, ...] | None:
        """A point with the least sum over some places, which is the sum from now on; None where none is in sight."""
        total = sign * sum(self.variables[at] for at in places)
        value = sign * sum(point[at] for at in places)
        below = value - 1
        while (found := self.point(total <= below)) is not None:
            point, value = found, sign * sum(found[at] for at in places)
            if value < -_FAR:
                return None
            below = value - 1 - 2 * abs(value)
        while below + 1 < value:
            middle = (below + value) // 2
            if (found := self.point(total <= middle)) is None:
                below = middle
            else:
                point, value = found, sign * sum(found[at] for at in places)
        self.solver.add(total == value)
        return point
