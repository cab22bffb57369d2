"""Proposes an instance of a set that must be absent, from its equations and tight bounds, without a solver.

An iterator of a tile loop is `floor(i / 32)` where `0 <= i - 32 t <= 31`; no point and no solver is needed for that. A
wrong value only proves nothing.

Source: parametric integer programming (Feautrier, RAIRO 1988) finds such quotients in general; here they are read off.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product, takewhile

from alphaz.kernel.checker import Fact, Form, NestedSet, ProofGoal, plus
from alphaz.proof.refute.equalities import solved_equalities
from alphaz.proof.refute.extreme_instances import ProposedInstance
from alphaz.proof.refute.point_instances import Key, bounds_of, divided, key_of, reduced
from alphaz.proof.refute.proof_tree import Step

# Instances of one absent set: one for each way to choose the cases that are needed.
_MOST = 8

NumberedInstance = tuple[int, ProposedInstance]
"""The number of an absent set, and values for its names."""


def instances_read(goal: ProofGoal) -> Iterator[NumberedInstance]:
    """Yields the instances of absent sets whose values are read off, by the numbers of the sets."""
    for number, absence in enumerate(goal.absences):
        yield from ((number, instance) for instance in forced_instances(goal, absence))


def instances_of(steps: Sequence[Step], goal: ProofGoal) -> Iterator[NumberedInstance]:
    """Yields the instances of a proof of a similar goal, over its variables and the quotients at the start."""
    quotients = [((dict(pairs), k), by) for _, pairs, k, by in takewhile(lambda s: s[0] == "let", steps)]
    for number, values in dict.fromkeys((step[1], str(step[2])) for step in steps if step[0] == "instance"):
        forms = tuple((dict(pairs), constant) for pairs, constant in json.loads(values))
        used = max((variable for terms, _ in forms for variable in terms), default=-1)
        if number < len(goal.absences) and used < goal.variables + len(quotients):
            yield number, ProposedInstance(tuple(quotients), forms)


def forced_instances(goal: ProofGoal, absence: NestedSet) -> list[ProposedInstance]:
    """Returns the proposals: first of the parts that have one case, then with cases of those that have several."""
    outside = ProofGoal(variables=goal.variables)
    inside, named = outside.with_point(absence, []), outside.with_variables({}, absence.stated["names"])[0]
    names, quotients = range(goal.variables, named.variables), _quotients_of(goal.facts)
    alone = ProofGoal(variables=inside.variables)
    cases = [[alternative(alone).facts for alternative in choice] for choice in inside.choices]
    shared = [fact for rows in filter(None, cases) for fact in rows[0] if all(fact in other for other in rows)]
    defining = [fact for choice in cases for rows in choice for fact in rows if _defines_quotient(fact, rows)]
    common, more = (
        [fact for fact in facts if max(fact[0][0], default=-1) < inside.variables] for facts in (shared, defining)
    )
    plain = _Solution(goal.variables, inside.variables, quotients).instance((*inside.facts, *common), (), names)
    if plain is not None:
        return [plain]
    found: dict[str, ProposedInstance] = {}
    for chosen in islice(_chosen(inside), _MOST):
        solution = _Solution(goal.variables, chosen.variables, quotients)
        instance = solution.instance((*chosen.facts, *common), more, names)
        if instance is not None:
            found.setdefault(str(instance), instance)
    return list(found.values())


def _chosen(inside: ProofGoal) -> Iterator[ProofGoal]:
    """Yields the goal without choices, then with one alternative of each choice."""
    yield inside
    for alternatives in product(*inside.choices):
        chosen = inside
        for alternative in alternatives:
            chosen = alternative(chosen)
        yield chosen


def _defines_quotient(fact: Fact, facts: Sequence[Fact]) -> bool:
    (terms, constant), _ = fact
    by = max(map(abs, terms.values()), default=0)
    return by > 1 and ((({v: -c for v, c in terms.items()}, by - 1 - constant), False) in facts)


def _quotients_of(facts: Sequence[Fact]) -> dict[tuple[Key, int], tuple[int, int]]:
    """Returns the variables that are quotients by two facts: the dividend (its terms, the divisor), the variable and
    what is added to the dividend."""
    least = {key_of(form[0]): form[1] for form, _ in facts}
    found: dict[tuple[Key, int], tuple[int, int]] = {}
    for (terms, constant), _ in facts:
        for variable, c in terms.items():
            other = least.get(key_of({v: -f for v, f in terms.items()}))
            if c < -1 and other is not None and constant + other < -c:
                rest = {v: f for v, f in terms.items() if v != variable}
                found.setdefault((key_of(rest), -c), (variable, constant))
    return found


@dataclass(slots=True)
class _Solution:
    """Expressions over the variables before number `first`, and over quotients, which are numbered from there."""

    first: int
    end: int
    known: dict[tuple[Key, int], tuple[int, int]]
    expressions: dict[int, Form] = field(default_factory=dict)
    quotients: dict[tuple[Key, int, int], int] = field(default_factory=dict)

    def instance(self, rows: Sequence[Fact], more: Sequence[Fact], names: range) -> ProposedInstance | None:
        """Returns the values of the names; None where rows leave several. `more` rows are used where the others do."""
        defined = solved_equalities(rows, self.first)
        open_ = {variable for variable in range(self.first, self.end) if variable not in defined}
        for facts in (rows, (*rows, *more)) if more else (rows,):
            bounds = bounds_of(facts, defined, self.first) if open_ else {}
            while forced := next(self._forced(open_, bounds), None):
                variable, form, by = forced
                self.expressions[variable] = self._quotient(form, by)
                open_.remove(variable)
        for variable, form in reversed(defined.items()):
            if open_.isdisjoint(form[0]):
                self.expressions[variable] = self._expressed(form)
            else:
                open_.add(variable)
        if not open_.isdisjoint(names):
            return None
        quotients = tuple(((dict(terms), constant), by) for terms, constant, by in self.quotients)
        return ProposedInstance(quotients, tuple(self.expressions[name] for name in names))

    def _expressed(self, form: Form) -> Form:
        total: Form = {}, form[1]
        for variable, factor in form[0].items():
            total = plus(total, factor, self.expressions.get(variable, ({variable: 1}, 0)))
        return total

    def _forced(self, open_: set[int], bounds: dict[Key, int]) -> Iterator[tuple[int, Form, int]]:
        """Yields variables, each with floor(form / by), to which two rows leave no other value."""
        for terms, constant in bounds.items():
            unknown = [(variable, -c) for variable, c in terms if variable in open_]
            if len(unknown) != 1 or unknown[0][1] < 0:
                continue
            ((variable, by),) = unknown
            other = bounds.get(tuple((v, -factor) for v, factor in terms))
            if other is not None and constant + other < by:
                yield variable, self._expressed(({v: c for v, c in terms if v != variable}, constant)), by

    def _quotient(self, form: Form, by: int) -> Form:
        """Returns floor(form / by)."""
        whole, rest = divided(form, by)
        rest, by = self._flattened(*reduced(rest, by))
        if by == 1:
            return plus(whole, 1, rest)
        if not rest[0]:
            return whole[0], whole[1] + rest[1] // by
        sign = 1 if min(rest[0].items())[1] > 0 else -1
        if sign < 0:  # floor(-x / by) is -floor((x + by - 1) / by)
            rest = plus(({}, by - 1), -1, rest)
        above, constant = divmod(rest[1], by)
        whole = plus(whole, sign, ({}, above))
        variable, added = self.known.get((key_of(rest[0]), by), (None, 0))
        if variable is not None and (constant - added) % by == 0:
            return plus(whole, sign, ({variable: 1}, (constant - added) // by))
        key = key_of(rest[0]), constant, by
        return plus(whole, sign, ({self.quotients.setdefault(key, self.first + len(self.quotients)): 1}, 0))

    def _flattened(self, form: Form, by: int) -> tuple[Form, int]:
        """Returns a quotient of a quotient as one: `(x / 12 + 5) / 6` is `(x + 60) / 72`."""
        definitions = {number: key for key, number in self.quotients.items()}
        while len(form[0]) == 1:
            ((number, c),) = form[0].items()
            if c != 1 or number not in definitions:
                break
            terms, constant, divisor = definitions[number]
            form, by = reduced((dict(terms), constant + divisor * form[1]), by * divisor)
        return form, by
