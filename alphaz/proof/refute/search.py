"""The search for a proof that a goal of the kernel is contradictory: cases and splits, closed by sums of facts.

A goal without rational points is closed at once. Else the choice with the fewest alternatives that may hold is opened;
a choice that the values of the simplex satisfy is not. Where they satisfy all choices, instances of absent sets are
used, and if the values are no integers, the goal is split: on the difference of two quotients by one divisor, or the
terms of a fact with a common divisor, whose bounds are no integers, or on another bounded form. Branching on single
variables alone diverges, as parameters are unbounded. Instances come from the extremes of the absent set, and from its
points where the variables have their present values.

Another strategy takes instances whose values rows force. Cores of z3 name the moves that are needed, and the few facts
that have no integer point; an instance is used where all conditions that may fail are split off.

Source: Gomory 1958 (cuts from a row of the tableau).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, product
from math import ceil, floor, gcd

from alphaz.kernel.checker import Fact, Form, NotConfirmed, ProofGoal, after, plus, primitive
from alphaz.proof.refute.equalities import replaced, solved_equalities
from alphaz.proof.refute.extreme_instances import ProposedInstance, instances, rows_of
from alphaz.proof.refute.forced_instances import NumberedInstance, instances_of, instances_read
from alphaz.proof.refute.point_instances import instances_at, spread_points
from alphaz.proof.refute.proof_tree import Labels, ProofNode, Step
from alphaz.proof.refute.quotient_forms import quotient_differences, quotient_forms
from alphaz.proof.refute.simplex import Column, Conflict, OutOfSteps, Rational, Simplex, Terms, column_of, terms_of
from alphaz.proof.refute.unsatisfiable_cores import Cores

# Goals and pivots of the last attempt at a set, and the parts of it that each strategy has before: most proofs take few
# steps, and no split of quotients. The instances of absent sets cost more than steps, so they are not asked for often.
BUDGET = 40_000
# The budgets of all attempts together: more than those of all strategies.
_MOST_ATTEMPTS = 5
_PARTS = (64, 16, 4)
# The price of asking isl for instances.
_ASKING = 300
# How often where the variables have values, on a path; the price is that of the rows of the set.
_MOST_MODELS = 16
# At how many points away from bounds instances are asked for, of how many that are drawn; and how often on a path.
_MOST_SPREAD, _MOST_DRAWN, _MOST_ROUNDS = 3, 6, 4
# How often sets that are absent inside of an absent set are ignored.
_MOST_SIMPLE = 8
# A proof is never deeper: those of all samples have a depth of at most 20.
_DEEPEST = 100
# Greatest coefficient of a cut.
_GREATEST = 10**6
# How often instances of one absent set are proposed on a path: with few facts, and where all else holds.
_MOST_PROPOSALS = 2

# The greatest number of integers of a form that is split before cuts are tried.
_WIDE = 64

# So few alternatives are each proved, though several may state the same.
_FEW = 4

Split = tuple[Terms, int]


class NotRefuted(Exception):
    """No proof was found; the set may be empty all the same."""


@dataclass(slots=True)
class Allowance:
    """The steps that are left to all attempts at a set and at the goals of its proof."""

    steps: int


def proof_of(
    goal: ProofGoal, budget: int = BUDGET, allowance: Allowance | None = None, similar: Sequence[Step] = ()
) -> list[Step]:
    """Returns the steps of a proof that the goal is contradictory; the same goal gives the same steps. The instances of
    the proof of a `similar` goal are tried first.

    Raises NotRefuted."""
    attempt = partial(_proof_of, goal, allowance or Allowance(_MOST_ATTEMPTS * budget))
    with suppress(NotRefuted):
        return attempt(
            budget // (_PARTS[0] if goal.absences else 256), splits_early=False, opens_first=False, splits_first=False
        )
    by_cores = partial(attempt, budget // 2, splits_early=False, opens_first=False, splits_first=False)
    for known in ([*instances_of(similar, goal)], None) if similar else (None,):
        with suppress(NotRefuted, NotConfirmed):
            return by_cores(proposed=known or [*instances_read(goal)])
    parts = _PARTS[-1:] if goal.absences else _PARTS
    for part, splits_early, opens_first in product(parts, (False, True), (True, False)):
        with suppress(NotRefuted):
            return attempt(budget // part, splits_early=splits_early, opens_first=opens_first)
    with suppress(NotRefuted):
        return attempt(budget, splits_early=True, opens_first=False)
    return attempt(budget, splits_early=False, opens_first=True)


def _proof_of(
    goal: ProofGoal,
    allowance: Allowance,
    budget: int,
    *,
    splits_early: bool,
    opens_first: bool,
    splits_first: bool = True,
    proposed: Sequence[NumberedInstance] | None = None,
) -> list[Step]:
    given = min(budget, allowance.steps)
    search = _Search(Simplex(given), splits_early, opens_first, None if proposed is None else Cores.new())
    path = _Path(ProofGoal(), Labels(), has_new_variables=splits_first)
    labels, start = search.extended(path, goal)
    try:
        if search.cores is not None and not goal.absences:
            start = search.reduced(start, search.cores)
        conflict = search.assumed(start.goal, Labels(facts=start.labels.facts))
        root = search.with_instances(start, proposed, 0, conflict) if proposed else search.refuted(start, conflict, 0)
    except OutOfSteps:
        raise NotRefuted(f"more than {given} steps") from None
    finally:
        allowance.steps -= given - max(search.simplex.steps, 0)
    return list(root.steps(labels))


@dataclass(frozen=True, slots=True)
class _Move:
    """A step that opens a choice or uses an instance, with a label of its own."""

    label: int
    step: Step


@dataclass(frozen=True, slots=True)
class _Path:
    """A goal with its labels, and the state of the search there: the labels of moves that were made, the instances that
    may be used, how often instances of each absent set were proposed, how often from a point, and how often from points
    away from bounds (`spread`); the variables that are the quotients of steps; and the forms that lead to no split.
    `forms` are those that may be split, of the goal in which variables were new.
    """

    goal: ProofGoal
    labels: Labels
    made: frozenset[int] = frozenset()
    instances: tuple[_Move, ...] = ()
    proposals: tuple[int, ...] = ()
    models: int = 0
    spread: int = 0
    quotients: Mapping[str, int] = field(default_factory=dict)
    tried: frozenset[Column] = frozenset()
    forms: Mapping[Column, Terms] | None = None
    is_start: bool = True
    has_new_variables: bool = True

    def moves(self) -> Iterator[_Move]:
        """Yields the choices that are not open."""
        for number, label in enumerate(self.labels.choices):
            if label not in self.made:
                yield _Move(label, ["case", number])


@dataclass(frozen=True, slots=True)
class _Alternative:
    """The facts of an alternative that are about older variables, and whether it says more."""

    facts: tuple[Fact, ...]
    says_more: bool


@dataclass(slots=True)
class _Search:
    """The simplex holds the facts of the present path. One that `splits_early` looks for a split of quotients wherever
    there are new ones, else only at the start, and where nothing else is left. One that `opens_first` takes instances
    from points away from bounds, and opens all choices before it splits what is no integer.
    """

    simplex: Simplex
    splits_early: bool = False
    opens_first: bool = False
    cores: Cores | None = None
    last_label: int = 0
    alternatives: dict[int, tuple[_Alternative, ...]] = field(default_factory=dict)

    def refuted(self, path: _Path, conflict: Conflict | None, depth: int) -> ProofNode:
        """Returns a proof of the goal of a path; `conflict` is one of its new facts. Raises NotRefuted, OutOfSteps."""
        self.simplex.spend()
        conflict = conflict or self.simplex.conflict()
        if conflict is not None:
            return _closed(conflict, path.labels)
        if depth == _DEEPEST:
            raise NotRefuted(f"a proof deeper than {_DEEPEST}")
        if path.has_new_variables:
            split, path = self.quotient_split(path)
            if split is not None:
                return self.split(path, split, depth)
            path = replace(path, has_new_variables=False)
        if self.cores is not None:
            return self.needed(path, self.cores, depth)
        if path.is_start:
            move = self.best_move(path, path.moves(), satisfied=True) if self.opens_first else None
            if move is not None and path.goal.absences:
                return self.branched(path, move, depth)
            path = replace(path, is_start=False)
            if path.goal.absences:
                return self.started(path, depth)
        move = self.best_move(path, path.moves()) or self.best_move(path, path.instances)
        if move is None:
            return self.integral(path, depth)
        split = self.shared_split(path, move)
        return self.branched(path, move, depth) if split is None else self.split(path, split, depth)

    def needed(self, path: _Path, cores: Cores, depth: int) -> ProofNode:
        """Returns the proof of a goal by moves that are needed."""
        moves = [move for move in (*path.moves(), *path.instances) if move.label not in path.made]
        last = next((move for move in reversed(moves) if move.step[0] == "case"), None)
        if last is not None and all(self.is_refuted(a.facts) for a in self.alternatives_of(path, last)):
            return self.branched(path, last, depth)
        self.simplex.spend(cores.price())
        needed = cores.needed(path.goal, ((move.label, after(path.goal, move.step)) for move in moves))
        if needed is None:
            raise NotRefuted("no instance is left")
        path = replace(path, made=path.made.union(move.label for move in moves if move.label not in needed))
        chosen = self.best_move(path, moves, satisfied=True)
        if chosen is None:
            return self.contradictory(path, cores, depth)
        split = self.condition_split(path, chosen)
        return self.branched(path, chosen, depth) if split is None else self.split(path, split, depth)

    def condition_split(self, path: _Path, move: _Move) -> Split | None:
        """Returns a split on a condition of an instance that may fail: what is known where it fails, and that it holds
        where the next one does, is known in the proofs of all other moves.
        """
        if move.step[0] != "instance":
            return None
        for goal in after(path.goal, move.step):
            ways = [
                [form for form in forms if not self.is_refuted([(form, False)])] for forms in _failures(path.goal, goal)
            ]
            possible = [forms for forms in ways if all(map(self.may_be_negative, forms))]
            if all(ways) and possible:
                form = min(possible, key=len)[0]
                return form[0], -form[1] - 1
        return None

    def may_be_negative(self, form: Form) -> bool:
        return not self.is_refuted([(plus(({}, -1), -1, form), False)])

    def is_refuted(self, facts: Sequence[Fact]) -> bool:
        """Returns True if facts contradict those of the path, over the rationals."""
        mark = self.simplex.mark()
        is_refuted = any(self.simplex.assume(fact, 0) is not None for fact in facts)
        is_refuted = is_refuted or (bool(facts) and self.simplex.conflict() is not None)
        self.simplex.back(mark)
        return is_refuted

    def reduced(self, path: _Path, cores: Cores) -> _Path:
        """Returns a path with only those facts and choices that are needed. Raises NotRefuted, OutOfSteps."""
        goal, labels = path.goal, path.labels
        choices = [(number, label) for number, label in enumerate(labels.choices)]
        moves = ((label, after(goal, ["case", number])) for number, label in choices)
        needed = cores.reduced(goal, moves)
        self.simplex.spend(cores.price())
        if needed is None:
            raise NotRefuted("the facts have an integer point, or their core is not found in time")
        numbers, kept = sorted(needed[0]), [number for number, label in choices if label in needed[1]]
        return replace(
            path,
            goal=ProofGoal(
                tuple(goal.facts[number] for number in numbers),
                tuple(goal.choices[number] for number in kept),
                variables=goal.variables,
            ),
            labels=Labels(
                facts=tuple(labels.facts[number] for number in numbers),
                choices=tuple(labels.choices[number] for number in kept),
                variables=labels.variables,
            ),
        )

    def contradictory(self, path: _Path, cores: Cores, depth: int) -> ProofNode:
        """Returns the proof of a goal whose facts have no integer point, by a few of them."""
        self.simplex.spend(cores.price())
        needed = cores.reduced(path.goal)
        numbers = range(len(path.goal.facts)) if needed is None else sorted(needed[0])
        goal = ProofGoal(facts=tuple(path.goal.facts[number] for number in numbers), variables=path.goal.variables)
        labels = Labels(facts=tuple(path.labels.facts[number] for number in numbers), variables=path.labels.variables)
        inner = _Search(Simplex(self.simplex.steps), last_label=self.last_label)
        start = replace(path, goal=goal, labels=labels, has_new_variables=True, forms=None, instances=())
        try:
            return inner.refuted(start, inner.assumed(goal, Labels(facts=labels.facts)), depth)
        finally:
            self.simplex.steps, self.last_label = inner.simplex.steps, inner.last_label

    # --- paths --------------------------------------------------------------------------------------------------

    def label(self) -> int:
        self.last_label += 1
        return self.last_label

    def extended(self, path: _Path, goal: ProofGoal) -> tuple[Labels, _Path]:
        """Returns the labels of what is new in a goal that follows, and its path."""
        before = path.labels
        new = Labels(
            facts=tuple(self.label() for _ in goal.facts[len(before.facts) :]),
            choices=tuple(self.label() for _ in goal.choices[len(before.choices) :]),
            absences=tuple(self.label() for _ in goal.absences[len(before.absences) :]),
            variables=tuple(self.label() for _ in range(len(before.variables), goal.variables)),
        )
        return new, replace(path, goal=goal, labels=before.followed_by(new))

    def assumed(self, goal: ProofGoal, new: Labels) -> Conflict | None:
        """Adds the new facts of a goal to the simplex, up to the first conflict."""
        facts = goal.facts[len(goal.facts) - len(new.facts) :]
        conflicts = (self.simplex.assume(fact, label) for fact, label in zip(facts, new.facts, strict=True))
        return next((conflict for conflict in conflicts if conflict is not None), None)

    def branched(self, path: _Path, move: _Move, depth: int) -> ProofNode:
        """Returns the proof of all goals that a step leaves, or of one of them that needs nothing new."""
        proofs: list[tuple[Labels, ProofNode]] = []
        before = replace(path, made=path.made | {move.label})
        for goal in after(path.goal, move.step):
            new, inner = self.extended(before, goal)
            if self.splits_early and new.variables:
                inner = replace(inner, has_new_variables=True, forms=None)
            mark = self.simplex.mark()
            proof = self.refuted(inner, self.assumed(goal, new), depth + 1)
            self.simplex.back(mark)
            if new.all.isdisjoint(proof.uses):
                return proof
            proofs.append((new, proof))
        return ProofNode.of(move.step, path.labels, proofs)

    def split(self, path: _Path, split: Split, depth: int) -> ProofNode:
        terms, most = split
        return self.branched(path, _Move(self.label(), ["split", _pairs(terms), most]), depth)

    # --- choices ------------------------------------------------------------------------------------------------

    def best_move(
        self, path: _Path, moves: Iterator[_Move] | Sequence[_Move], *, satisfied: bool = False
    ) -> _Move | None:
        """Returns the move with the fewest alternatives that may hold, of those that the values do not satisfy; of all
        moves, if those that are `satisfied` count.
        """
        best: tuple[int, _Move] | None = None
        for move in moves:
            if move.label in path.made:
                continue
            alternatives = self.alternatives_of(path, move)
            if not satisfied and any(not a.says_more and all(map(self.holds, a.facts)) for a in alternatives):
                continue
            alive = sum(not any(map(self.contradicts, alternative.facts)) for alternative in alternatives)
            if best is None or alive < best[0]:
                best = alive, move
            if alive == 0:
                break
        return None if best is None else best[1]

    def shared_split(self, path: _Path, move: _Move) -> Split | None:
        """Returns a split by a fact that several alternatives state, by the equalities of the goal, and which may hold
        or fail: each of them would need the same proof.
        """
        alternatives = [a for a in self.alternatives_of(path, move) if not any(map(self.contradicts, a.facts))]
        forms = [a.facts[0][0] for a in alternatives if len(a.facts) == 1 and not a.facts[0][1] and not a.says_more]
        if len(forms) < _FEW:
            return None
        solved = solved_equalities(path.goal.facts)
        whole = [primitive(replaced(form, solved), is_equality=False)[0] for form in forms]
        counts = Counter(map(str, whole))
        for form in whole:
            if form[0] and counts[str(form)] > 1:
                least, greatest = (
                    self.simplex.greatest({v: -c for v, c in form[0].items()}),
                    self.simplex.greatest(form[0]),
                )
                if (least is None or form[1] < least) and (greatest is None or greatest + form[1] >= 0):
                    return form[0], -form[1] - 1
        return None

    def alternatives_of(self, path: _Path, move: _Move) -> tuple[_Alternative, ...]:
        if move.label not in self.alternatives:
            goals = after(path.goal, move.step)
            self.alternatives[move.label] = tuple(_alternative(path.goal, goal) for goal in goals)
        return self.alternatives[move.label]

    def holds(self, fact: Fact) -> bool:
        """Returns True if the values satisfy a fact."""
        form, is_equality = fact
        value = self.value(form)
        return value == 0 if is_equality else value >= 0

    def value(self, form: Form) -> Rational:
        return self.simplex.value(form[0]) + form[1]

    def contradicts(self, fact: Fact) -> bool:
        """Returns True if a bound contradicts a fact at once."""
        (terms, constant), is_equality = fact
        if not terms:
            return constant < 0
        column, sign = column_of(terms)
        value, lower, upper = -sign * constant, self.simplex.lower.get(column), self.simplex.upper.get(column)
        is_above = (sign > 0 or is_equality) and upper is not None and upper.value < value
        return is_above or ((sign < 0 or is_equality) and lower is not None and lower.value > value)

    # --- instances ----------------------------------------------------------------------------------------------

    def proposed(self, path: _Path, depth: int) -> ProofNode:
        """Returns a proof with the instances that isl proposes here; their quotients become variables."""
        if not path.is_start and path.models < _MOST_MODELS:
            proposed_instances = self.instances_here(path)
            if proposed_instances:
                return self.with_instances(replace(path, models=path.models + 1), proposed_instances, depth)
        proposals = (*path.proposals, *(0 for _ in path.goal.absences[len(path.proposals) :]))
        least = min(proposals, default=_MOST_PROPOSALS)
        if least == _MOST_PROPOSALS:
            raise NotRefuted("the facts have an integer point, and no instance is left")
        asked = [number for number, count in enumerate(proposals) if count == least]
        proposals = tuple(count + (number in asked) for number, count in enumerate(proposals))
        proposed = [(number, instance) for number in asked for instance in self.instances(path.goal, number)]
        return self.with_instances(replace(path, proposals=proposals), proposed, depth)

    def started(self, path: _Path, depth: int) -> ProofNode:
        """Returns a proof with the instances at points away from bounds, or else those that isl proposes."""
        proposed_instances = self.instances_around(path.goal) if self.opens_first else []
        return (
            self.with_instances(path, proposed_instances, depth) if proposed_instances else self.proposed(path, depth)
        )

    def with_instances(
        self, path: _Path, proposed: Sequence[NumberedInstance], depth: int, conflict: Conflict | None = None
    ) -> ProofNode:
        """Returns a proof with these instances of absent sets, by their numbers; their quotients are variables."""
        lets: list[tuple[Step, Labels, Labels]] = []
        numbers = dict(path.quotients)
        inner, steps = path, {str(move.step): move.step for move in path.instances}
        for number, instance in proposed:
            own = list(range(path.goal.variables))
            for quotient, by in instance.quotients:
                terms, constant = _renumbered(quotient, own)
                step: Step = ["let", _pairs(terms), constant, by]
                if str(step) not in numbers:
                    numbers[str(step)] = inner.goal.variables
                    (goal,) = after(inner.goal, step)
                    before, (new, inner) = inner.labels, self.extended(inner, goal)
                    conflict = self.assumed(goal, new) or conflict
                    lets.append((step, before, new))
                own.append(numbers[str(step)])
            values = [_renumbered(form, own) for form in instance.values]
            step = ["instance", number, [[_pairs(terms), constant] for terms, constant in values]]
            steps[str(step)] = step
        known = {str(move.step) for move in path.instances}
        moves = tuple(_Move(self.label(), step) for text, step in steps.items() if text not in known)
        proof = self.refuted(
            replace(
                inner,
                instances=(*path.instances, *moves),
                quotients=numbers,
                has_new_variables=self.splits_early and bool(lets),
                forms=None,
            ),
            conflict,
            depth + 1,
        )
        for step, labels, new in reversed(lets):
            if not new.all.isdisjoint(proof.uses):
                proof = ProofNode.of(step, labels, [(new, proof)])
        return proof

    def instances(self, goal: ProofGoal, number: int) -> list[ProposedInstance]:
        absence = goal.absences[number]
        if not absence.stated["names"]:
            return [ProposedInstance((), ())]
        self.simplex.spend(max(_ASKING, rows_of(absence)))
        return instances(goal, absence)

    def instances_here(self, path: _Path) -> list[NumberedInstance]:
        """Returns the instances of the absent sets that have a point where the variables have their present values."""
        values = [int(self.simplex.at(variable)) for variable in range(path.goal.variables)]
        return self.instances_there(path.goal, values, is_whole=path.models >= _MOST_SIMPLE)

    def instances_around(self, goal: ProofGoal) -> list[NumberedInstance]:
        """Returns the instances that are found at most points away from bounds, one of each absent set at most."""
        points = [*islice(spread_points(goal, _MOST_DRAWN, self.simplex.spend), _MOST_SPREAD)]
        proposals: list[NumberedInstance] = []
        for is_whole in (True, False):
            proposals = proposals or [
                proposed for point in points for proposed in self.instances_there(goal, point, is_whole=is_whole)
            ]
        counts = Counter(map(str, proposals))
        best = {proposed[0]: proposed for proposed in sorted(proposals, key=lambda proposed: counts[str(proposed)])}
        return list(best.values())

    def instances_there(self, goal: ProofGoal, values: Sequence[int], *, is_whole: bool) -> list[NumberedInstance]:
        numbered: list[NumberedInstance] = []
        for number, absence in enumerate(goal.absences):
            self.simplex.spend(rows_of(absence))
            proposed = instances_at(goal, absence, values, is_whole, self.known_quotient)
            numbered += [(number, instance) for instance in proposed]
        return numbered

    def known_quotient(self, form: Form, by: int, values: Sequence[int], is_exact: bool) -> Form | None:
        """Returns a constant, or a variable and a constant, if facts show that `floor(form / by)` is equal to it: at
        these values of all variables it is. A division that `is_exact` at one point is not at others, so a variable
        that is equal there is as good.
        """
        value = (form[1] + sum(c * values[variable] for variable, c in form[0].items())) // by
        for terms in ({}, *self.divided_variables(by, len(values))):
            distance = value - sum(values[variable] for variable in terms)
            if terms and abs(distance) > 1:
                continue
            if terms and is_exact:
                return terms, distance
            rest, constant = plus(form, -by, (terms, distance))
            least, greatest = self.range(rest, by + 1)
            if (
                least is not None
                and greatest is not None
                and ceil(least) + constant >= 0 > floor(greatest) + constant - by
            ):
                return terms, distance
        return None

    def divided_variables(self, by: int, end: int) -> Iterator[Terms]:
        """Yields the variables before number `end` that occur in a form with a multiple of a divisor."""
        pairs = (pair for column in self.simplex.columns for pair in terms_of(column).items())
        return ({variable: 1} for variable in dict.fromkeys(v for v, c in pairs if c % by == 0 and v < end))

    # --- integers -----------------------------------------------------------------------------------------------

    def integral(self, path: _Path, depth: int) -> ProofNode:
        """Returns a proof of a goal all of whose choices are open or satisfied."""
        broken = [v for v in range(path.goal.variables) if self.simplex.at(v).denominator != 1]
        if not broken:
            return self.proposed(path, depth)
        if self.opens_first:
            move = self.best_move(path, (*path.moves(), *path.instances), satisfied=True)
            if move is not None:
                return self.branched(path, move, depth)
            if path.spread < _MOST_ROUNDS and path.goal.absences:
                path = replace(path, spread=path.spread + 1)
                proposed_instances = self.instances_around(path.goal)
                if proposed_instances:
                    return self.with_instances(path, proposed_instances, depth)
        split = self.narrow_split(path.goal, broken) or self.gomory_split() or self.bounded_split(path, broken)
        return self.split(path, split or ({broken[-1]: 1}, floor(self.simplex.at(broken[-1]))), depth)

    def quotient_split(self, path: _Path) -> tuple[Split | None, _Path]:
        """Returns a split of which one half is contradictory: of the difference of two quotients by one divisor, or of
        the terms of a fact that have a common divisor; and the path on which forms that lead to none are tried last.
        """
        forms, tried = path.forms, set(path.tried)
        if forms is None:
            forms = {column_of(terms)[0]: terms for terms in quotient_forms(path.goal)}
        for column in sorted(forms, key=lambda column: column in path.tried):
            split = self.split_of(path.goal, forms[column], 1)
            if split is not None:
                return split[1], replace(path, tried=frozenset(tried), forms=forms)
            tried.add(column)
        return None, replace(path, tried=frozenset(tried))

    def narrow_split(self, goal: ProofGoal, broken: Sequence[int]) -> Split | None:
        """Returns a split of such a form, or of a `broken` variable, that has the fewest integers."""
        best: tuple[int, Split] | None = None
        for terms in (*quotient_forms(goal), *({variable: 1} for variable in broken)):
            split = self.split_of(goal, terms, _WIDE)
            if split is not None and (best is None or split[0] < best[0]):
                best = split
                if split[0] <= 1:
                    break
        return None if best is None else best[1]

    def split_of(self, goal: ProofGoal, terms: Terms, most: int) -> tuple[int, Split] | None:
        """Returns the number of integers of a form, and a split where its bounds are none; None if there are more.

        Where sets are absent, the values become those at a bound: instances there are of more use.
        """
        least, greatest = self.range(terms, None if goal.absences else most + 1)
        if least is None or greatest is None or least.denominator == greatest.denominator == 1:
            return None
        count = floor(greatest) - ceil(least) + 1
        most_ = floor(greatest if greatest.denominator != 1 else least)
        return (count, (terms, most_)) if count <= most else None

    def range(self, terms: Terms, wide: int | None = None) -> tuple[Rational | None, Rational | None]:
        """Returns the least and the greatest value of a form; None where there is none, where the other is None, or
        where the two are at least so far apart.
        """
        self.simplex.spend()
        enough = None if wide is None else self.simplex.value(terms) + wide
        greatest = self.simplex.greatest(terms, enough)
        if greatest is None or (enough is not None and greatest >= enough):
            return None, None
        opposite = {variable: -c for variable, c in terms.items()}
        below = self.simplex.greatest(opposite, None if wide is None else wide - greatest)
        if below is None or (wide is not None and greatest + below >= wide):
            return None, None
        return -below, greatest

    def gomory_split(self) -> Split | None:
        """Returns a split that cuts the values off, from a row of the tableau, with small coefficients."""
        best: tuple[tuple[int, int], dict[int, int]] | None = None
        for basic in self.simplex.rows:
            terms = self.gomory_terms(basic) if self.simplex.at(basic).denominator != 1 else None
            if terms:
                size = max(map(abs, terms.values())), len(terms)
                if best is None or size < best[0]:
                    best = size, terms
        if best is None or best[0][0] > _GREATEST:
            return None
        return best[1], floor(self.value((best[1], 0)))

    def gomory_terms(self, basic: Column) -> dict[int, int] | None:
        """Returns the form of a cut; None where a column of the row is not at a bound."""
        total = terms_of(basic)
        row = self.simplex.rows[basic]
        for column, rate in row.terms.items():
            lower, upper = self.simplex.lower.get(column), self.simplex.upper.get(column)
            if lower is not None and self.simplex.values[column] == lower.value:
                factor = rate // row.scale
            elif upper is not None and self.simplex.values[column] == upper.value:
                factor = -(-rate // row.scale)
            elif rate % row.scale == 0:
                factor = rate // row.scale
            else:
                return None
            for variable, c in terms_of(column).items():
                total[variable] = total.get(variable, 0) - factor * c
        return {variable: c for variable, c in total.items() if c}

    def bounded_split(self, path: _Path, broken: Sequence[int]) -> Split | None:
        """Returns a split of a form with few integer values."""
        best: tuple[int, Split] | None = None
        for terms in self.candidates(path, broken):
            least, greatest = self.range(terms)
            if least is None or greatest is None or least == greatest:
                continue
            count = floor(greatest) - ceil(least) + 1
            if greatest.denominator != 1:
                most = floor(greatest)
            elif least.denominator != 1:
                most = floor(least)
            else:
                most = (floor(greatest) + ceil(least) - 1) // 2
            if best is None or count < best[0]:
                best = count, (terms, most)
            if count <= 1:
                break
        return None if best is None else best[1]

    def candidates(self, path: _Path, broken: Sequence[int]) -> Iterator[Terms]:
        """Yields the forms of choices that are not open, differences of quotients, and variables, each once."""
        seen: set[Column] = set()
        for terms in self.all_candidates(path, broken):
            column, _ = column_of(terms)
            if column not in seen:
                seen.add(column)
                yield terms

    def all_candidates(self, path: _Path, broken: Sequence[int]) -> Iterator[Terms]:
        for move in path.moves():
            for alternative in self.alternatives_of(path, move):
                yield from (form[0] for form, _ in alternative.facts if form[0])
        yield from quotient_differences(path.goal)
        yield from ({variable: 1} for variable in reversed(broken))


def _closed(conflict: Conflict, labels: Labels) -> ProofNode:
    """Returns the leaf with the factors of a conflict as coprime integers."""
    divisor, numbers = gcd(*conflict.values()), labels.numbers()
    factors = ((numbers[label], factor // divisor) for label, factor in conflict.items() if factor)
    return ProofNode.of(["sum", *chain(*factors)], labels)


def _alternative(before: ProofGoal, goal: ProofGoal) -> _Alternative:
    new = goal.facts[len(before.facts) :]
    facts = tuple(fact for fact in new if max(fact[0][0], default=-1) < before.variables)
    grows = len(goal.choices) > len(before.choices) or len(goal.absences) > len(before.absences)
    return _Alternative(facts, grows or goal.variables > before.variables)


def _failures(before: ProofGoal, goal: ProofGoal) -> list[list[Form]]:
    """Returns the forms of the new fact, or for each new choice those of its alternatives, of a goal without other
    conditions: one form of each list is not negative there.
    """
    facts = goal.facts[len(before.facts) :]
    if goal.variables > before.variables or len(goal.absences) > len(before.absences):
        return []
    return [[fact[0]] for fact in facts] + [
        [form for add in choice for form, _ in add(ProofGoal(variables=goal.variables)).facts]
        for choice in goal.choices[len(before.choices) :]
    ]


def _pairs(terms: Terms) -> list[list[int]]:
    return sorted([variable, c] for variable, c in terms.items())


def _renumbered(form: Form, numbers: Sequence[int]) -> Form:
    """Returns a form with these numbers of its variables."""
    return {numbers[variable]: c for variable, c in form[0].items()}, form[1]
