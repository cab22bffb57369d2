"""The proofs of all sets that a certificate calls empty, as the document that the kernel reads."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import NoReturn

from alphaz.kernel.c_coverage import StatedSet
from alphaz.kernel.certificate_check import derived_entries
from alphaz.kernel.checker import NotConfirmed, ProofGoal, check, goal_of, load, members, sets
from alphaz.proof.refute.larger_set_proof import guided_proof
from alphaz.proof.refute.proof_tree import Step
from alphaz.proof.refute.search import BUDGET, Allowance, NotRefuted, proof_of


@dataclass(frozen=True, slots=True)
class FoundProofs:
    """The steps of the proofs, by the places of their sets: as stated, and as `derived` from the inventory; the places
    of those that are `shared` by both sets; and the reason for each set without a proof.
    """

    proofs: Mapping[str, list[Step]]
    derived: Mapping[str, list[Step]]
    shared: frozenset[str]
    missing: Mapping[str, str]
    text: str


NOT_REACHED = "not reached"


def proofs_of(
    certificate: str, say: Callable[[str], None], budget: int = BUDGET, goes_on: Callable[[], bool] = lambda: True
) -> FoundProofs:
    """Returns the proofs for the text of a certificate; `say` gets the place of each set. Once it no longer `goes_on`,
    all further sets are missing, as not reached.
    """
    content = certificate.encode()
    document = load(content)
    proofs: dict[str, list[Step]] = {}
    derived_proofs: dict[str, list[Step]] = {}
    missing: dict[str, str] = {}
    shared = set[str]()

    readers, derived_readers = _ReaderProofs(budget), _ReaderProofs(budget)
    keys: dict[str, Mapping[str, object]] = {}

    def prove(into: dict[str, list[Step]], place: str, find: Callable[[], list[Step]], claim: object = "") -> None:
        say(place)
        try:
            into[place] = _in_32_bits(find()) if goes_on() else _not_reached()
        except (NotConfirmed, NotRefuted) as reason:
            missing[place if into is proofs else f"derived {place}"] = f"{claim or 'as derived'} ({reason})"

    for place, entry, table in sets(document):
        if entry.get("verdict", "proved") == "proved":
            keys[place] = members(entry.get("key", {}))
            stated = partial(goal_of, entry["violations"], table)
            prove(proofs, place, partial(readers.proof, place, keys[place], stated), entry["claim"])
    for place, state in derived_entries(document):
        find = partial(
            derived_readers.proof, place, keys.get(place, {}), partial(_derived_goal, state), proofs.get(place, ())
        )
        if derived_readers.is_shown(place, keys.get(place, {}), state, proofs.get(place, [])):
            shared.add(place)
        else:
            prove(derived_proofs, place, find)
    text = _text(hashlib.sha256(content).hexdigest(), proofs, derived_proofs)
    return FoundProofs(proofs=proofs, derived=derived_proofs, shared=frozenset(shared), missing=missing, text=text)


def _in_32_bits(steps: list[Step]) -> list[Step]:
    """Returns the steps of a proof. Raises NotRefuted for a multiplier that needs more bits."""
    if greatest_multiplier(steps) >= 2**31:
        raise NotRefuted("a multiplier of the proof needs more than 32 bits")
    return steps


def greatest_multiplier(steps: list[Step]) -> int:
    return max((abs(factor) for step in steps if step[0] == "sum" for factor in step[2::2]), default=0)


def _not_reached() -> NoReturn:
    raise NotRefuted(NOT_REACHED)


# The budgets of a set for all goals of a proof that follows another one, and the part of one that is left if it fails.
_GUIDED, _UNGUIDED = 3, 4


@dataclass(slots=True)
class _ReaderProofs:
    """Finds the proofs of sets. That a value is not overwritten (C4) is shown for the writers that show that it is
    written before (C1), of which the goals and proofs are kept by record and reader.
    """

    budget: int
    written: dict[tuple[str, object], tuple[ProofGoal, list[Step]]] = field(default_factory=dict)

    def proof(
        self, place: str, key: Mapping[str, object], state: Callable[[], ProofGoal], similar: Sequence[Step] = ()
    ) -> list[Step]:
        """Returns the proof of a set; `similar` is that of the set as stated. Raises NotRefuted, NotConfirmed."""
        goal, reader = state(), _reader(place, key)
        known = self.written.get(reader) if key.get("kind") == "C4" else None
        if known is None:
            steps = proof_of(goal, self.budget, similar=similar)
        else:
            with suppress(NotRefuted, NotConfirmed):
                steps = guided_proof(goal, *known, self.budget // 2, Allowance(_GUIDED * self.budget))
                check(goal, steps)
                return steps
            steps = proof_of(goal, self.budget // _UNGUIDED, similar=similar)
        if key.get("kind") == "C1":
            self.written[reader] = goal, steps
        return steps

    def is_shown(self, place: str, key: Mapping[str, object], state: StatedSet, steps: list[Step]) -> bool:
        """Returns True if the proof of a set as stated is one of the set as derived as well."""
        try:
            goal = _derived_goal(state)
            check(goal, steps)
        except NotConfirmed:
            return False
        if key.get("kind") == "C1":
            self.written[_reader(place, key)] = goal, steps
        return True


def _reader(place: str, key: Mapping[str, object]) -> tuple[str, object]:
    return place.partition(".")[0], members(key.get("families", {})).get("reader")


def _derived_goal(state: StatedSet) -> ProofGoal:
    return goal_of(*state())


def _text(digest: str, proofs: Mapping[str, list[Step]], derived_proofs: Mapping[str, list[Step]]) -> str:
    """Returns the document, with a step or a proof on each line. The most frequent steps have the shortest numbers."""
    counts = Counter(map(_json, chain(*proofs.values(), *derived_proofs.values())))
    numbers = {step: number for number, (step, _) in enumerate(counts.most_common())}
    by_place, by_place_derived = (
        ",".join(
            f"\n {json.dumps(place)}:{_json([numbers[_json(step)] for step in steps])}" for place, steps in of.items()
        )
        for of in (proofs, derived_proofs)
    )
    head = f'{{"format": "alphaz-proofs", "version": 2, "certificate": "{digest}"'
    steps = ",\n ".join(numbers)
    return f'{head},\n"steps": [{steps}],\n"proofs": {{{by_place}}},\n"derived": {{{by_place_derived}}}}}\n'


def _json(value: Sequence[object]) -> str:
    return json.dumps(value, separators=(",", ":"))
