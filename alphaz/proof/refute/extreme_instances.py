"""Proposes an instance of a set that must be absent, from its lexicographic extremes by isl.

Each piece of the extremes is a proposal, and its domain is ignored: a wrong one only proves nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.kernel.checker import Fact, Form, NestedSet, ProofGoal, elements, members
from alphaz.poly import Affine, Constraint, Formula, Missing, OutOfBudget, Piece, Space, budget
from alphaz.poly.algorithms.lexicographic_extremes import QuasiAffine, extremes

# isl operations for the extremes of one set.
OPERATIONS = 300_000
# Proposals for either end.
_MOST = 24

Parts = tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True, slots=True)
class ProposedInstance:
    """Values for the names of an absent set, over the variables of a goal and over quotients, which are numbered after
    them; each of `quotients` has its divisor.
    """

    quotients: tuple[tuple[Form, int], ...]
    values: tuple[Form, ...]


def instances(goal: ProofGoal, absence: NestedSet) -> list[ProposedInstance]:
    """Returns the proposals: zeros where there are no extremes, and none where isl gives up."""
    context = ProofGoal(facts=goal.facts, variables=goal.variables)
    named, _ = context.with_variables(absence.environment, absence.stated["names"])
    inside, count = context.with_point(absence, []), named.variables - goal.variables
    parts, absent, variables = conditions(inside)
    space = Space((), names_of(0, goal.variables + count))
    formula = Formula(space, names_of(goal.variables + count, variables), parts, absent=absent)
    try:
        with budget(OPERATIONS):
            extreme_points = extremes(formula.domain(), count, _MOST)
    except OutOfBudget:
        return []
    return [_instance(extreme, goal.variables) for extreme in extreme_points] or [
        ProposedInstance((), count * (({}, 0),))
    ]


def rows_of(absence: NestedSet) -> int:
    """Returns the number of rows and divisions of an absent set with all sets in it: isl takes about as many steps."""
    cases = (members(case) for name in ("parts", "without") for part in absence.parts(name) for case in part)
    own = sum(len(elements(case["rows"])) + len(elements(case["divisions"])) for case in cases)
    return own + sum(map(rows_of, absence.nested({})))


def conditions(goal: ProofGoal) -> tuple[Parts, tuple[Missing, ...], int]:
    """Returns all that is known as a formula over names of variables, and the number of its variables, which follow
    those of the goal: the quotients of alternatives. Variables of the absent sets come after them.
    """
    variables = goal.variables
    parts: list[tuple[Piece, ...]] = [(_piece(goal.facts),)]
    for choice in goal.choices:
        pieces = []
        for alternative in choice:
            alternative_goal = alternative(ProofGoal(variables=variables))
            variables = alternative_goal.variables
            pieces.append(_piece(alternative_goal.facts))
        parts.append(tuple(pieces))
    absent, last = [], variables
    for absence in goal.absences:
        inside = ProofGoal(variables=last).with_point(absence, [])
        inner, nested, end = conditions(inside)
        absent.append(Missing(names_of(last, end), inner, absent=nested))
        last = end
    return tuple(parts), tuple(absent), variables


def names_of(first: int, end: int) -> tuple[str, ...]:
    return tuple(f"x{number}" for number in range(first, end))


def _piece(facts: Sequence[Fact]) -> Piece:
    return Piece(tuple(Constraint(_affine(form), is_equality) for form, is_equality in facts))


def _affine(form: Form) -> Affine:
    return Affine.of(((f"x{variable}", c) for variable, c in form[0].items()), form[1])


def _instance(value: QuasiAffine, variables: int) -> ProposedInstance:
    numbers = {name: number for number, name in enumerate(names_of(0, variables))}
    numbers |= {floor.name: variables + position for position, floor in enumerate(value.floors)}
    quotients = tuple((_form(floor.affine, numbers), floor.denominator) for floor in value.floors)
    return ProposedInstance(quotients, tuple(_form(output, numbers) for output in value.outputs))


def _form(affine: Affine, numbers: Mapping[str, int]) -> Form:
    return {numbers[name]: c for name, c in affine.terms}, affine.constant
