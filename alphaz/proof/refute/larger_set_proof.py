"""Proves a set empty by following the proof of a larger set, in which the absent sets have fewer conditions.

A value that is written before it is read, and not overwritten before: the same writer is there. Where an instance of an
absent set is no point of it, and the proof of the larger set goes on with another one, the goal is split.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from alphaz.kernel.checker import Fact, Form, NotConfirmed, ProofGoal, after
from alphaz.proof.refute.proof_tree import Labels, Step, renumbered
from alphaz.proof.refute.search import Allowance, NotRefuted, proof_of
from alphaz.proof.refute.simplex import OutOfSteps, Simplex

# Pivots to see that a condition follows from the facts, steps of the first attempt at a goal, and nested splits.
_PIVOTS, _FIRST, _DEEPEST = 500, 2_000, 4
# Goals beside those of the larger set for which a proof is searched.
_MOST_GOALS = 1_000


@dataclass(frozen=True, slots=True)
class _Node:
    """A step at a goal, and the proofs of the goals that it leaves."""

    goal: ProofGoal
    step: Step
    children: "tuple[_Node, ...]"

    @staticmethod
    def of(goal: ProofGoal, steps: Iterator[Step]) -> "_Node":
        step = next(steps)
        return _Node(goal, step, tuple(_Node.of(inner, steps) for inner in after(goal, step)))

    @property
    def has_instances(self) -> bool:
        return self.step[0] == "instance" or any(child.has_instances for child in self.children)


@dataclass(frozen=True, slots=True)
class _Place:
    """A goal that follows from that of a node, with the `numbers` that facts and all else of the latter have in it, and
    the alternatives of choices of the latter that are known to hold: the number of each, and of its fact. `depth` is
    the number of splits around it.
    """

    goal: ProofGoal
    numbers: Labels
    known: Mapping[int, tuple[int, int]]
    depth: int = 0

    @staticmethod
    def root(goal: ProofGoal, larger: ProofGoal) -> "_Place":
        numbers = Labels(
            facts=tuple(range(len(larger.facts))),
            choices=tuple(range(len(larger.choices))),
            absences=tuple(range(len(larger.absences))),
            variables=tuple(range(larger.variables)),
        )
        return _Place(goal, numbers, {})

    def after(self, goal: ProofGoal, before: ProofGoal, then: ProofGoal) -> "_Place":
        """Returns the place after a step that leads to a goal here, and from `before` to `then` there."""
        new = Labels(
            facts=_last(len(goal.facts), len(then.facts) - len(before.facts)),
            choices=_last(len(goal.choices), len(then.choices) - len(before.choices)),
            absences=_last(len(goal.absences), len(then.absences) - len(before.absences)),
            variables=_last(goal.variables, then.variables - before.variables),
        )
        return replace(self, goal=goal, numbers=self.numbers.followed_by(new))


def _last(end: int, count: int) -> tuple[int, ...]:
    return tuple(range(end - count, end))


def guided_proof(
    goal: ProofGoal, larger: ProofGoal, proof: Sequence[Step], budget: int, allowance: Allowance | None = None
) -> list[Step]:
    """Returns the proof of a larger goal, with those of the goals that its steps leave here in addition. Each has the
    budget, and all have the allowance.

    Raises NotRefuted."""
    guide = _Guide(budget, allowance or Allowance(_MOST_GOALS * budget))
    try:
        return [*guide.replayed(_Place.root(goal, larger), _Node.of(larger, iter(proof)))]
    except (NotConfirmed, IndexError, ValueError, RecursionError) as reason:
        raise NotRefuted(f"the proof of the larger set is of no use: {reason}") from None


@dataclass(frozen=True, slots=True)
class _Lemma:
    """The proof of a goal that the step of a node leaves in addition, with the place of the step."""

    place: _Place
    proof: _Node

    def at(self, place: _Place, goal: ProofGoal) -> _Place:
        """Returns the place of the same goal after the same step elsewhere. A fact has the number of the same fact
        there, or of the one for the same fact of the node; else it has none.
        """
        goals = self.place.goal, self.proof.goal, place.goal, goal
        first, end, base, _ = (one.variables for one in goals)
        variables = [*range(first), *range(base, base + end - first)]
        moved = dict(zip(self.place.numbers.facts, place.numbers.facts, strict=False))
        new = range(len(self.place.goal.facts), len(self.proof.goal.facts))
        moved |= dict(zip(new, range(len(place.goal.facts), len(goal.facts)), strict=False))
        there = {_text(fact): number for number, fact in reversed([*enumerate(goal.facts)])}
        texts = [_text(((_renamed(terms, variables), k), is_equal)) for (terms, k), is_equal in self.proof.goal.facts]
        numbers = Labels(
            facts=tuple(there.get(text, moved.get(number, -1)) for number, text in enumerate(texts)),
            choices=_moved(*(len(one.choices) for one in goals)),
            absences=_moved(*(len(one.absences) for one in goals)),
            variables=tuple(variables),
        )
        return _Place(goal, numbers, {})


def _renamed(terms: Mapping[int, int], numbers: Sequence[int]) -> dict[int, int]:
    return {numbers[variable]: c for variable, c in terms.items()}


def _text(fact: Fact) -> str:
    (terms, constant), is_equality = fact
    return str((sorted(terms.items()), constant, is_equality))


def _moved(base: int, end: int, new_base: int, new_end: int) -> tuple[int, ...]:
    """Returns the new number of each number before `end`; -1 where there is none."""
    return (*(-1 for _ in range(base)), *range(new_base, new_base + end - base))


def _copied(place: _Place, node: _Node) -> Iterator[Step]:
    """Yields the proof of a node at a place where its steps leave the same goals."""
    step = renumbered(node.step, place.numbers, int)
    goals = after(place.goal, step)
    if len(goals) != len(node.children):
        raise NotRefuted("the step leaves other goals")
    yield step
    for goal, child in zip(goals, node.children, strict=True):
        yield from _copied(place.after(goal, node.goal, child.goal), child)


@dataclass(slots=True)
class _Guide:
    """Replays a proof. The proofs of further goals are kept by step and number of the goal: one instance is used in
    several branches, mostly with the same further goals.
    """

    budget: int
    allowance: Allowance
    goals: int = 0
    lemmas: dict[str, list[_Lemma]] = field(default_factory=dict)

    def replayed(self, place: _Place, node: _Node) -> Iterator[Step]:
        if node.step[0] == "case" and node.step[1] in place.known:
            alternative, fact = place.known[node.step[1]]
            child = node.children[alternative]
            numbers = place.numbers.followed_by(Labels(facts=(fact,)))
            yield from self.replayed(replace(place, numbers=numbers), child)
            return
        step = renumbered(node.step, place.numbers, int)
        goals = after(place.goal, step)
        if len(goals) < len(node.children):
            raise NotRefuted("the proof of the larger set is of no use")
        yield step
        for goal, child in zip(goals, node.children, strict=False):
            yield from self.replayed(place.after(goal, node.goal, child.goal), child)
        for number, goal in enumerate(goals[len(node.children) :]):
            yield from self.added(place, node, step, number, goal)

    def added(self, place: _Place, node: _Node, step: Step, number: int, goal: ProofGoal) -> list[Step]:
        """Returns the proof of a goal that an instance of a node leaves in addition."""
        lemmas = self.lemmas.setdefault(f"{number} {step}", [])
        for lemma in lemmas:
            with suppress(NotRefuted, NotConfirmed, IndexError):
                return [*_copied(lemma.at(place, goal), lemma.proof)]
        self.goals += 1
        if self.goals > _MOST_GOALS:
            raise NotRefuted(f"more than {_MOST_GOALS} goals are left")
        steps = [*self.proved(replace(place, goal=goal), node)]
        lemmas.append(_Lemma(place, _Node.of(goal, iter(steps))))
        return steps

    def proved(self, place: _Place, node: _Node) -> Iterator[Step]:
        """Yields the proof of such a goal: here the values are a point of the absent set with fewer conditions, or else
        the proof of the node goes on with another instance.
        """
        plain = replace(place.goal, absences=())
        conditions = list(_conditions(place, node))
        with suppress(NotRefuted):
            yield from proof_of(plain, min(_FIRST, self.budget) if conditions else self.budget, self.allowance)
            return
        if not conditions or place.depth == _DEEPEST:
            raise NotRefuted("the point of the larger set does not help")
        yield from self.split(place, node, conditions)

    def split(self, place: _Place, node: _Node, conditions: Sequence["_Condition"]) -> Iterator[Step]:
        """Yields the proof of a goal, split on whether each condition fails."""
        if not conditions:
            yield from proof_of(replace(place.goal, absences=()), self.budget, self.allowance)
            return
        condition, goal = conditions[0], place.goal
        terms, constant = _here(place, condition.form)
        step: Step = ["split", sorted([variable, c] for variable, c in terms.items()), -constant - 1]
        holds, fails = after(goal, step)
        yield step
        yield from self.split(replace(place, goal=holds), node, conditions[1:])
        child, fact = node.children[condition.child], len(goal.facts)
        numbers, known = place.numbers, place.known
        if condition.choice is None:
            numbers = numbers.followed_by(Labels(facts=(fact,)))
        else:
            choice, alternative = condition.choice
            numbers, known = numbers.followed_by(Labels(choices=(-1,))), {**known, choice: (alternative, fact)}
        yield from self.replayed(_Place(fails, numbers, known, place.depth + 1), child)


@dataclass(frozen=True, slots=True)
class _Condition:
    """An alternative of a condition of the absent set that fails: the child of the node that is about it, the number of
    its choice and of its alternative, if there are several, and its form there.
    """

    child: int
    choice: tuple[int, int] | None
    form: Form


def _conditions(place: _Place, node: _Node) -> Iterator[_Condition]:
    """Yields the conditions that may fail, where the proof goes on with another instance."""
    for number, child in enumerate(node.children):
        if not child.has_instances or child.goal.variables > node.goal.variables:
            continue
        choices = child.goal.choices[len(node.goal.choices) :]
        facts = child.goal.facts[len(node.goal.facts) :]
        if len(choices) == 1 and not facts:
            position = len(node.goal.choices)
            for index, alternative in enumerate(choices[0]):
                (fact,) = alternative(ProofGoal(variables=child.goal.variables)).facts
                if _may_hold(place, fact[0]):
                    yield _Condition(number, (position, index), fact[0])
        elif len(facts) == 1 and not choices:
            yield _Condition(number, None, facts[0][0])


def _may_hold(place: _Place, form: Form) -> bool:
    """Returns False if facts show that a form of the larger goal is negative."""
    simplex = Simplex(_PIVOTS)
    facts = (*place.goal.facts, (_here(place, form), False))
    with suppress(OutOfSteps):
        return all(simplex.assume(fact, 0) is None for fact in facts) and simplex.conflict() is None
    return True


def _here(place: _Place, form: Form) -> Form:
    return {place.numbers.variables[variable]: c for variable, c in form[0].items()}, form[1]
