"""A set of violations as plain data: linear integer constraints, divisions included, and nothing else.

{ names | exists auxiliary: part and part and ... and not (case or case or ...) },    part = case or case or ...
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sum:
    """`sum(coefficient * name) + constant`."""

    terms: Mapping[str, int]
    constant: int


@dataclass(frozen=True, slots=True)
class Row:
    """`sum == 0` where `equal`, else `sum >= 0`."""

    sum: Sum
    equal: bool


@dataclass(frozen=True, slots=True)
class Division:
    """`name = floor(sum / by)`, where `by` is positive; the sum may have names of divisions that come before."""

    name: str
    sum: Sum
    by: int


@dataclass(frozen=True, slots=True)
class Case:
    """All rows hold, over the names of the set and the divisions."""

    rows: tuple[Row, ...]
    divisions: tuple[Division, ...]


@dataclass(frozen=True, slots=True)
class Violations:
    """All parts hold; of each, one case. A part without cases is false, a case without rows true. No case of `without`
    holds, which has no auxiliary names.

    `parameters` and `names` are the integers of one violation; for each `auxiliary` name there is to be a value.
    """

    parameters: tuple[str, ...]
    names: tuple[str, ...]
    auxiliary: tuple[str, ...]
    parts: tuple[tuple[Case, ...], ...]
    without: tuple[Case, ...] = ()


def faults(violations: Violations) -> str:
    """What is wrong with the names and divisors of a set that somebody wrote; empty where nothing is."""
    known = (*violations.parameters, *violations.names, *violations.auxiliary)
    if len(set(known)) != len(known):
        return "a name of the set stands twice"
    plain = (*violations.parameters, *violations.names)
    inside = [(known, case) for part in violations.parts for case in part]
    for there, case in (*inside, *((plain, case) for case in violations.without)):
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
