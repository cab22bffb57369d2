"""Trees of proofs: steps with the numbers of the goal at which they were found, and labels for what these number.

A branch whose facts are not needed is left out. That changes the numbers behind it, but no label.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

# A step of the kernel, as JSON.
Step = list[Any]


@dataclass(frozen=True, slots=True)
class Labels:
    """A label for each fact, choice, absent set and variable of a goal; no two have the same."""

    facts: tuple[int, ...] = ()
    choices: tuple[int, ...] = ()
    absences: tuple[int, ...] = ()
    variables: tuple[int, ...] = ()

    @property
    def all(self) -> frozenset[int]:
        return frozenset((*self.facts, *self.choices, *self.absences, *self.variables))

    def followed_by(self, other: "Labels") -> "Labels":
        return Labels(
            facts=self.facts + other.facts,
            choices=self.choices + other.choices,
            absences=self.absences + other.absences,
            variables=self.variables + other.variables,
        )

    def numbers(self) -> dict[int, int]:
        """Returns the number of each label."""
        kinds = (self.facts, self.choices, self.absences, self.variables)
        return {label: number for labels in kinds for number, label in enumerate(labels)}


@dataclass(frozen=True, slots=True)
class ProofNode:
    """A step at a goal, and the proofs of the goals that it leaves, each with the labels that are new there.

    `uses` are the labels of the goal on which the whole proof depends."""

    step: Step
    labels: Labels
    uses: frozenset[int]
    goals: tuple[tuple[Labels, "ProofNode"], ...]

    @staticmethod
    def of(step: Step, labels: Labels, goals: Sequence[tuple[Labels, "ProofNode"]] = ()) -> "ProofNode":
        uses: set[int] = set()

        def noted(label: int) -> int:
            uses.add(label)
            return label

        renumbered(step, labels, noted)
        inherited = (proof.uses - new.all for new, proof in goals)
        return ProofNode(step, labels, frozenset(uses).union(*inherited), tuple(goals))

    def steps(self, labels: Labels) -> Iterator[Step]:
        """Yields the steps of the proof in the order of the kernel, with the numbers of the labels of its goal."""
        yield renumbered(self.step, self.labels, labels.numbers().__getitem__)
        for new, proof in self.goals:
            yield from proof.steps(labels.followed_by(new))


def renumbered(step: Step, labels: Labels, number: Callable[[int], int]) -> Step:
    """Returns a step with the numbers of its labels."""

    def form(pairs: Sequence[tuple[int, int]]) -> Step:
        return sorted([number(labels.variables[variable]), c] for variable, c in pairs)

    match step:
        case ["sum", *factors]:
            pairs = sorted((number(labels.facts[f]), m) for f, m in zip(factors[::2], factors[1::2], strict=True))
            return ["sum", *chain(*pairs)]
        case ["case", choice]:
            return ["case", number(labels.choices[choice])]
        case ["split", pairs, most]:
            return ["split", form(pairs), most]
        case ["let", pairs, constant, by]:
            return ["let", form(pairs), constant, by]
        case ["instance", absence, values]:
            values = [[form(pairs), constant] for pairs, constant in values]
            return ["instance", number(labels.absences[absence]), values]
    raise ValueError(step)
