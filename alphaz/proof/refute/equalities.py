"""Solves the equalities of a goal for variables; two facts together may state an equality."""

from collections.abc import Mapping, Sequence

from alphaz.kernel.checker import Fact, Form, plus

Solved = Mapping[int, Form]
"""Variables, and the forms that they are equal to; later variables may occur in the forms of earlier ones."""


def with_equalities(facts: Sequence[Fact]) -> list[Fact]:
    """Returns the facts, equalities first, with an equality for two facts that state it."""
    forms = {_key(form) for form, _ in facts}
    marked = [(form, is_equality or _key(plus(({}, 0), -1, form)) in forms) for form, is_equality in facts if form[0]]
    return sorted(marked, key=lambda fact: not fact[1])


def _key(form: Form) -> tuple[tuple[tuple[int, int], ...], int]:
    return tuple(sorted(form[0].items())), form[1]


def solution(form: Form, first: int = 0) -> tuple[int, Form] | None:
    """Returns a variable with the coefficient 1 or -1 in a form that is 0, from number `first`, and its value."""
    unit = next((variable for variable, c in form[0].items() if abs(c) == 1 and variable >= first), None)
    if unit is None:
        return None
    sign = -form[0][unit]
    rest = {variable: sign * c for variable, c in form[0].items() if variable != unit}
    return unit, (rest, sign * form[1])


def solved_equalities(facts: Sequence[Fact], first: int = 0) -> dict[int, Form]:
    """Returns the equalities that have a variable from number `first` with the coefficient 1."""
    solved: dict[int, Form] = {}
    for form, is_equality in with_equalities(facts):
        substitution = solution(replaced(form, solved), first) if is_equality else None
        if substitution is not None:
            solved[substitution[0]] = substitution[1]
    return solved


def replaced(form: Form, solved: Solved) -> Form:
    """Returns a form without the variables that are solved."""
    for variable, value in solved.items():
        factor = form[0].get(variable, 0)
        if factor:
            rest = {other: c for other, c in form[0].items() if other != variable}
            form = plus((rest, form[1]), factor, value)
    return form
