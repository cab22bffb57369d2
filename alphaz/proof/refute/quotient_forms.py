"""Linear forms at which a goal is worth splitting: differences of quotients, and terms with a common divisor."""

from collections.abc import Iterator
from math import gcd

from alphaz.kernel.checker import Form, ProofGoal, plus
from alphaz.proof.refute.equalities import replaced, solution, solved_equalities, with_equalities
from alphaz.proof.refute.simplex import Column, Terms, column_of


def quotient_forms(goal: ProofGoal) -> Iterator[Terms]:
    yield from quotient_differences(goal)
    yield from _multiples(goal)


def quotient_differences(goal: ProofGoal) -> Iterator[Terms]:
    """Yields the differences of two variables that are quotients by one divisor."""
    divisors: dict[int, set[int]] = {}
    solved = solved_equalities(goal.facts)
    for (terms, _), _ in goal.facts:
        whole = replaced((terms, 0), solved)[0]
        for form in (terms, whole):
            common = gcd(*form.values())
            for variable, c in form.items():
                if abs(c) > common:
                    divisors.setdefault(variable, set()).add(abs(c) // common)
    quotients = sorted(divisors)
    for position, quotient in enumerate(quotients):
        yield from ({quotient: 1, other: -1} for other in quotients[:position] if divisors[quotient] & divisors[other])


def _multiples(goal: ProofGoal) -> Iterator[Terms]:
    """Yields the terms of facts with a common divisor, which other terms lack, divided by it; and the differences of
    two of them whose other terms are the same. Variables with the coefficient 1 in an equality are replaced.
    """
    seen: set[Column] = set()
    solved: dict[int, Form] = {}
    groups: dict[tuple[int, Column], list[Terms]] = {}
    for form, is_equality in with_equalities(goal.facts):
        rest = replaced(form, solved)
        for divisor in sorted({abs(c) for c in rest[0].values()} - {1}, reverse=True):
            others = {variable: c for variable, c in rest[0].items() if c % divisor}
            if not others:
                continue
            column, sign = column_of(others)
            part = {variable: sign * c // divisor for variable, c in rest[0].items() if c % divisor == 0}
            group = groups.setdefault((divisor, column), [])
            for terms in (part, *(plus((part, 0), -1, (other, 0))[0] for other in group)):
                if terms and column_of(terms)[0] not in seen:
                    seen.add(column_of(terms)[0])
                    yield terms
            group.append(part)
        substitution = solution(rest) if is_equality else None
        if substitution is not None:
            solved[substitution[0]] = substitution[1]
