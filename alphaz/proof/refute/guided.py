"""The proof of a set by that of a larger set, of which the absent sets have fewer conditions.

A value that is written before it is read, and not overwritten before: the same writer is there.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from alphaz.kernel.checker import NotConfirmed, ProofGoal, after
from alphaz.proof.refute.search import NotRefuted
from alphaz.proof.refute.tree import Step


def guided_proof(
    goal: ProofGoal, larger: ProofGoal, proof: Sequence[Step], prove: Callable[[ProofGoal], list[Step]]
) -> list[Step]:
    """Returns the proof of a larger goal, with those of the goals that its steps leave here in addition.

    Raises NotRefuted."""
    found: list[Step] = []
    rest = iter(proof)
    pending: list[tuple[ProofGoal, ProofGoal | None]] = [(goal, larger)]
    while pending:
        here, there = pending.pop()
        if there is None:
            found += prove(_without_absences(here))
            continue
        step = next(rest)
        try:
            goals, known = after(here, step), after(there, step)
        except (NotConfirmed, IndexError) as reason:
            raise NotRefuted(f"the proof of the larger set is of no use: {reason}") from None
        if len(goals) < len(known):
            raise NotRefuted("the proof of the larger set is of no use")
        found.append(step)
        more: list[tuple[ProofGoal, ProofGoal | None]] = [(added, None) for added in goals[len(known) :]]
        pending += reversed([*zip(goals, known, strict=False), *more])
    return found


def _without_absences(goal: ProofGoal) -> ProofGoal:
    """Returns a goal that is easier to search: a proof of it has no numbers of absent sets."""
    return replace(goal, absences=())
