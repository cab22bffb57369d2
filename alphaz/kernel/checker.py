"""Checks proofs that the sets of a certificate are empty: exact integers, no solver, the standard library only.

A goal has facts (a linear form is >= 0, or == 0), choices, absent sets and integer variables, numbered as they come. A
step closes the first open goal and opens those that it leaves; in the end none is open. A proof has numbers of steps.

["sum", fact, m, ...]             leaves nothing: the sum of m * fact is a negative constant (m < 0 only for equalities)
["case", n]                       leaves a goal for each alternative of choice n
["split", [[v, c], ...], k]       leaves two goals: the sum of c * v is at most k; it is at least k + 1
["let", [[v, c], ...], k, d]      leaves a goal with a new variable, floor((sum of c * v + k) / d)
["instance", n, [[[[v, c], ...], k], ...]]    a goal for each condition of absent set n: it fails at these values
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import gcd
from pathlib import Path
from typing import NoReturn, TypeVar

K = TypeVar("K")
Linear = tuple[Mapping[K, int], int]  # the coefficients of variables (numbers here, else names), and a constant
Form = Linear[int]
Fact = tuple[Form, bool]  # the form is == 0 where True, else >= 0
Environment = Mapping[str, Form]  # the form of each name
Alternative = Callable[["ProofGoal"], "ProofGoal"]  # adds a condition to a goal
VERSIONS = (15,)  # of certificates
DOCUMENT = "format version versions files systems programs digest"
PROOFS = "format version certificate steps proofs derived"
RECORDS = {
    "systems": "script system verdict inventory separations obligations parts",
    "programs": "source program system function verdict assumed inventory obligations parts",
}
ENTRIES = {
    "separations": "id by leading claim layers settles violations isl",
    "obligations": "id key rule claim roles violations isl verdict how witness sentence reason places",
}
ABSENT = "names parts without absent"


class NotConfirmed(Exception):
    """A document is malformed, or a proof does not prove that its set is empty."""


def refuse(reason: str) -> NoReturn:
    raise NotConfirmed(reason)


def integer(value: object, least: int | None = None, end: int | None = None) -> int:
    if type(value) is not int or (least is not None and value < least) or (end is not None and value >= end):
        refuse(f"{value!r:.40} is not the expected integer{'' if end is None else f' from {least}, below {end}'}")
    return value


def boolean(value: object) -> bool:
    return value if type(value) is bool else refuse("true or false is missing")


def elements(value: object, count: int | None = None) -> list[object]:
    if type(value) is not list or (count is not None and len(value) != count):
        refuse("a list is missing, or of another length")
    return value


def members(value: object, keys: str | None = None) -> dict[str, object]:
    if type(value) is not dict or (keys is not None and {*value} != {*keys.split()}):
        refuse(f"an object is missing, or its keys are not {keys}")
    return value


def plus(one: Linear[K], factor: int, other: Linear[K]) -> Linear[K]:
    """Returns one + factor * other."""
    terms = dict(one[0])
    for variable, coefficient in other[0].items():
        terms[variable] = terms.get(variable, 0) + factor * coefficient
    return {variable: c for variable, c in terms.items() if c}, one[1] + factor * other[1]


def primitive(form: Form, is_equality: bool) -> Fact:
    """Divides by the gcd of the coefficients and rounds the constant down; a fact without solutions is -1 >= 0."""
    terms, constant = form
    divisor = gcd(*terms.values())
    if divisor == 0:
        return ({}, -1 if constant < 0 or (is_equality and constant > 0) else 0), False
    if is_equality and constant % divisor:
        return ({}, -1), False
    return ({variable: c // divisor for variable, c in terms.items()}, constant // divisor), is_equality


def form_of(environment: Mapping[str, Linear[K]], value: object) -> Linear[K]:
    fields = members(value, "terms constant")
    form: Linear[K] = {}, integer(fields["constant"])
    for name, coefficient in members(fields["terms"]).items():
        form = plus(form, integer(coefficient), environment.get(name) or refuse(f"nothing declares {name}"))
    return form


def extended(environment: Environment, names: object, forms: Sequence[Form]) -> Environment:
    texts = [name if type(name) is str else refuse("a name is no text") for name in elements(names, len(forms))]
    if len({*environment, *texts}) != len(environment) + len(texts):
        refuse("a name stands twice")
    return {**environment, **dict(zip(texts, forms, strict=True))}


@dataclass(frozen=True, slots=True)
class NestedSet:
    """A set over the names of the environment, and names of its own; `table` has the parts that it has by number."""

    environment: Environment
    stated: dict[str, object]
    table: Sequence[object]

    def parts(self, name: str) -> list[list[object]]:
        return [elements(self.table[integer(at, 0, len(self.table))]) for at in elements(self.stated[name])]

    def nested(self, environment: Environment) -> "list[NestedSet]":
        return [NestedSet(environment, members(value, ABSENT), self.table) for value in elements(self.stated["absent"])]


@dataclass(frozen=True, slots=True)
class ProofGoal:
    """The facts on one path of a proof. Methods return the goal with more facts."""

    facts: tuple[Fact, ...] = ()
    choices: tuple[tuple[Alternative, ...], ...] = ()
    absences: tuple[NestedSet, ...] = ()
    variables: int = 0

    def with_fact(self, form: Form, is_equality: bool = False) -> "ProofGoal":
        return ProofGoal((*self.facts, primitive(form, is_equality)), self.choices, self.absences, self.variables)

    def with_choice(self, options: Sequence[Alternative]) -> "ProofGoal":
        return options[0](self) if len(options) == 1 else replace(self, choices=(*self.choices, tuple(options)))

    def with_quotient(self, form: Form, by: int) -> "ProofGoal":
        """Adds a variable, floor(form / by), where by >= 1."""
        rest = plus(form, -by, ({self.variables: 1}, 0))
        goal = replace(self, variables=self.variables + 1)
        return goal.with_fact(rest).with_fact(plus(({}, by - 1), -1, rest))

    def with_divisions(self, environment: Environment, value: object) -> tuple["ProofGoal", list[Fact]]:
        """Adds the divisions of a case, and returns its rows as well."""
        goal, case = self, members(value, "rows divisions")
        for division in (members(division, "name sum by") for division in elements(case["divisions"])):
            goal = goal.with_quotient(form_of(environment, division["sum"]), integer(division["by"], 1))
            environment = extended(environment, [division["name"]], [({goal.variables - 1: 1}, 0)])
        rows = [members(row, "sum equal") for row in elements(case["rows"])]
        return goal, [(form_of(environment, row["sum"]), boolean(row["equal"])) for row in rows]

    def with_case(self, environment: Environment, case: object) -> "ProofGoal":
        goal, rows = self.with_divisions(environment, case)
        for form, is_equality in rows:
            goal = goal.with_fact(form, is_equality)
        return goal

    def without_cases(self, environment: Environment, cases: object) -> "ProofGoal":
        """Adds that some row of each case fails; its divisions have their values all the same."""
        goal = self
        for case in elements(cases):
            goal, rows = goal.with_divisions(environment, case)
            failures = [plus(({}, -1), sign, form) for form, equal in rows for sign in ((1, -1) if equal else (-1,))]
            goal = goal.with_choice([partial(ProofGoal.with_fact, form=form) for form in failures])
        return goal

    def with_variables(self, environment: Environment, names: object) -> tuple["ProofGoal", Environment]:
        forms: list[Form] = [({self.variables + at: 1}, 0) for at in range(len(elements(names)))]
        return replace(self, variables=self.variables + len(forms)), extended(environment, names, forms)

    def with_point(self, of: NestedSet, auxiliary: object) -> "ProofGoal":
        """Adds variables for the names of a set, and its conditions; only its parts are about the auxiliary names."""
        goal, plain = self.with_variables(of.environment, of.stated["names"])
        goal, inner = goal.with_variables(plain, auxiliary)
        for part in of.parts("parts"):
            goal = goal.with_choice([partial(ProofGoal.with_case, environment=inner, case=case) for case in part])
        goal = goal.without_cases(plain, [case for part in of.parts("without") for case in part])
        return replace(goal, absences=(*goal.absences, *of.nested(plain)))

    def form(self, pairs: object, constant: object) -> Form:
        """Returns the form that a step states."""
        terms: dict[int, int] = {}
        for variable, coefficient in (elements(pair, 2) for pair in elements(pairs)):
            if integer(variable, 0, self.variables) in terms:
                refuse("a variable stands twice")
            terms[integer(variable)] = integer(coefficient)
        return terms, integer(constant)


def not_at(of: NestedSet, forms: Sequence[Form]) -> Iterator[Alternative]:
    """Yields the conditions of the absent set, negated: one of them fails at these values of its names."""
    environment = extended(of.environment, of.stated["names"], forms)
    yield from (partial(ProofGoal.without_cases, environment=environment, cases=part) for part in of.parts("parts"))
    for case in (case for part in of.parts("without") for case in part):
        yield partial(ProofGoal.with_case, environment=environment, case=case)
    yield from (partial(ProofGoal.with_point, of=nested, auxiliary=[]) for nested in of.nested(environment))


def after(goal: ProofGoal, step: object) -> list[ProofGoal]:
    """Returns the goals that a step leaves."""
    match step:
        case ["sum", *numbers] if len(numbers) % 2 == 0:
            total: Form = {}, 0
            for number, factor in zip(numbers[::2], numbers[1::2], strict=True):
                form, is_equality = goal.facts[integer(number, 0, len(goal.facts))]
                total = plus(total, integer(factor, None if is_equality else 0), form)
            return [] if not total[0] and total[1] < 0 else refuse("a sum is no contradiction")
        case ["case", number]:
            return [add(goal) for add in goal.choices[integer(number, 0, len(goal.choices))]]
        case ["split", pairs, most]:
            form, bound = goal.form(pairs, 0), integer(most)
            return [goal.with_fact(plus(({}, bound), -1, form)), goal.with_fact(plus(form, 1, ({}, -bound - 1)))]
        case ["let", pairs, constant, by]:
            return [goal.with_quotient(goal.form(pairs, constant), integer(by, 1))]
        case ["instance", number, values]:
            forms = [goal.form(*elements(value, 2)) for value in elements(values)]
            return [add(goal) for add in not_at(goal.absences[integer(number, 0, len(goal.absences))], forms)]
    refuse("there is no such step")


def check(goal: ProofGoal, steps: object) -> None:
    """Raises NotConfirmed if the steps do not prove that what is known is contradictory."""
    goals = [goal]
    for number, step in enumerate(elements(steps)):
        try:
            goals += reversed(after(goals.pop() if goals else refuse("no goal is open before it"), step))
        except NotConfirmed as reason:
            refuse(f"{reason} (step {number} of its proof)")
    if goals:
        refuse("a goal stays open after the last step of its proof")


def goal_of(violations: object, table: Sequence[object]) -> ProofGoal:
    """Returns the goal to refute that a set of a certificate has a point; its parts are numbers in the table."""
    fields = members(violations, f"parameters auxiliary {ABSENT}")
    goal, environment = ProofGoal().with_variables({}, fields["parameters"])
    return goal.with_point(NestedSet(environment, fields, table), fields["auxiliary"])


def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    return dict(pairs) if len(dict(pairs)) == len(pairs) else refuse("a key stands twice")


def load(content: bytes) -> dict[str, object]:
    try:
        return members(json.loads(content.decode(), object_pairs_hook=once, parse_float=refuse, parse_constant=refuse))
    except (ValueError, RecursionError) as error:
        refuse(f"it cannot be read as JSON: {error}")


def sets(certificate: dict[str, object]) -> Iterator[tuple[str, dict[str, object], list[object]]]:
    """Yields each set that a certificate decides: its place, the entry, and the table of parts."""
    for where, keys in RECORDS.items():
        for number, record in enumerate(members(record, keys) for record in elements(certificate[where])):
            for name in sorted(ENTRIES.keys() & record.keys()):
                for at, entry in enumerate(elements(record[name])):
                    yield f"{where}[{number}].{name}[{at}]", members(entry, ENTRIES[name]), elements(record["parts"])


def steps_of(proofs: dict[str, object], numbers: object) -> list[object]:
    return [(table := elements(proofs["steps"]))[integer(number, 0, len(table))] for number in elements(numbers)]


def outcomes(certificate: bytes, proofs: bytes) -> Iterator[tuple[str, str]]:
    """Yields the place of each set, and the reason why it is not shown to be empty ("" where it is)."""
    document, proof_fields = members(load(certificate), DOCUMENT), members(load(proofs), PROOFS)
    if document["format"] != "alphaz-certificate" or integer(document["version"]) not in VERSIONS:
        refuse(f"it is no certificate of a version in {VERSIONS}")
    if proof_fields["format"] != "alphaz-proofs" or integer(proof_fields["version"]) != 2:
        refuse("they are no proofs of version 2")
    if proof_fields["certificate"] != hashlib.sha256(certificate).hexdigest():
        refuse("the proofs are of another certificate")
    unused = {**members(proof_fields["proofs"])}
    for place, entry, table in sets(document):
        numbers = unused.pop(place, None)
        try:
            if entry.get("verdict", "proved") != "proved":
                refuse("the certificate does not call it empty")
            check(goal_of(entry["violations"], table), steps_of(proof_fields, numbers or refuse("it has no proof")))
            yield place, ""
        except NotConfirmed as reason:
            yield place, str(reason)
    yield from ((place, "it is no set that the certificate calls empty") for place in unused)


def main(names: Sequence[str]) -> int:
    if len(names) != 2:
        sys.exit("usage: python -m alphaz.kernel c.json c.proofs.json")
    try:
        verdicts = dict(outcomes(*(Path(name).read_bytes() for name in names)))
    except (OSError, NotConfirmed) as error:
        sys.exit(f"nothing is confirmed: {error}")
    sys.stdout.writelines(f"{place}: {reason}\n" for place, reason in verdicts.items() if reason)
    confirmed = list(verdicts.values()).count("")
    sys.stdout.write(f"kernel: {confirmed} of {len(verdicts)} sets are empty\n")
    return 0 if 0 < confirmed == len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
