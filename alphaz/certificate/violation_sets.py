"""A set of violations as plain data: linear integer constraints, divisions included, and nothing else.

{ names | exists auxiliary: part and part and ... and not (case or case or ...) },    part = case or case or ...

Negated existence (no writer, no part of a sum) is stated by sets of the same form that must be absent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True, slots=True)
class LinearSum:
    """`sum(coefficient * name) + constant`."""

    terms: Mapping[str, int]
    constant: int


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """`sum == 0` where `equal`, else `sum >= 0`."""

    sum: LinearSum
    equal: bool


@dataclass(frozen=True, slots=True)
class Division:
    """`name = floor(sum / by)`, where `by` is positive; the sum may have names of divisions that come before."""

    name: str
    sum: LinearSum
    by: int


@dataclass(frozen=True, slots=True)
class ViolationCase:
    """A conjunction of all rows, over the names of the set and the divisions."""

    rows: tuple[ConstraintRow, ...]
    divisions: tuple[Division, ...]


DomainParts = tuple[tuple[ViolationCase, ...], ...]
"""The points at which one case of each part holds."""


def conjunctions(parts: DomainParts) -> tuple[ViolationCase, ...]:
    """Returns the cases where one case of each part holds."""
    return tuple(
        ViolationCase(
            tuple(row for case in cases for row in case.rows),
            tuple(division for case in cases for division in case.divisions),
        )
        for cases in product(*parts)
    )


@dataclass(frozen=True, slots=True)
class Absent:
    """The condition that there are no values of `names` for which all parts hold, no case of `without`, and all
    `absent` sets are absent.

    Its sets are over these names and those around it.
    """

    names: tuple[str, ...]
    parts: DomainParts
    without: tuple[ViolationCase, ...]
    absent: tuple["Absent", ...]


@dataclass(frozen=True, slots=True)
class Violations:
    """A set of violations: one case of each part holds, no case of `without`, and the `absent` sets are absent.

    A part without cases is false, a case without rows true; `without` and `absent` have no auxiliary names.
    `parameters` and `names` are the integers of one violation; each `auxiliary` name is existentially quantified.
    """

    parameters: tuple[str, ...]
    names: tuple[str, ...]
    auxiliary: tuple[str, ...]
    parts: DomainParts
    without: tuple[ViolationCase, ...] = ()
    absent: tuple[Absent, ...] = ()


def faults(violations: Violations) -> str:
    """Returns the mistakes in the names and divisors of a set; empty where there are none."""
    names = (*violations.parameters, *violations.names, *violations.auxiliary)
    if len(set(names)) != len(names):
        return "a name of the set stands twice"
    plain = (*violations.parameters, *violations.names)
    inside = [(names, case) for part in violations.parts for case in part]
    mistake = _case_mistakes((*inside, *((plain, case) for case in violations.without)))
    return mistake or next(filter(None, (_within(absent, names, plain) for absent in violations.absent)), "")


def _within(absent: Absent, used_names: Sequence[str], around: Sequence[str]) -> str:
    names = (*around, *absent.names)
    if not set(used_names).isdisjoint(absent.names) or len(set(absent.names)) != len(absent.names):
        return "a name of the set stands twice"
    cases = [case for part in (*absent.parts, absent.without) for case in part]
    mistake = _case_mistakes([(names, case) for case in cases])
    return mistake or next(
        filter(None, (_within(inner, (*used_names, *absent.names), names) for inner in absent.absent)), ""
    )


def _case_mistakes(cases: Sequence[tuple[Sequence[str], ViolationCase]]) -> str:
    """Returns the mistakes in cases, each with its allowed names."""
    for there, case in cases:
        names = set(there)
        for division in case.divisions:
            if division.by < 1:
                return f"{division.name} divides by {division.by}"
            if division.name in names or not names.issuperset(division.sum.terms):
                return f"{division.name} is not defined once, from names that come before"
            names.add(division.name)
        for row in case.rows:
            if not names.issuperset(row.sum.terms):
                return f"nothing declares {', '.join(sorted(set(row.sum.terms) - names))}"
    return ""
