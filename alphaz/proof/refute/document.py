"""The proofs of all sets that a certificate calls empty, as the document that the kernel reads."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from alphaz.kernel.checker import NotConfirmed, ProofGoal, goal_of, load, sets
from alphaz.kernel.derive import derived, derived_entries
from alphaz.proof.refute.search import BUDGET, NotRefuted, proof_of
from alphaz.proof.refute.tree import Step


@dataclass(frozen=True, slots=True)
class FoundProofs:
    """The steps of the proofs, by the places of their sets: as stated, and as `derived` from the inventory; and the
    reason for each set without a proof.
    """

    proofs: Mapping[str, list[Step]]
    derived: Mapping[str, list[Step]]
    missing: Mapping[str, str]
    text: str


def proofs_of(certificate: str, say: Callable[[str], None], budget: int = BUDGET) -> FoundProofs:
    """Returns the proofs for the text of a certificate; `say` gets the place of each set."""
    content = certificate.encode()
    document = load(content)
    proofs: dict[str, list[Step]] = {}
    derived_proofs: dict[str, list[Step]] = {}
    missing: dict[str, str] = {}

    def prove(into: dict[str, list[Step]], place: str, goal: Callable[[], ProofGoal], claim: object = "") -> None:
        say(place)
        try:
            into[place] = proof_of(goal(), budget)
        except (NotConfirmed, NotRefuted) as reason:
            missing[place if into is proofs else f"derived {place}"] = f"{claim or 'as derived'} ({reason})"

    for place, entry, table in sets(document):
        if entry.get("verdict", "proved") == "proved":
            prove(proofs, place, partial(goal_of, entry["violations"], table), entry["claim"])
    for place, key, inventory in derived_entries(document):
        prove(derived_proofs, place, partial(_derived_goal, inventory, key))
    text = _text(hashlib.sha256(content).hexdigest(), proofs, derived_proofs)
    return FoundProofs(proofs, derived_proofs, missing, text)


def _derived_goal(inventory: object, key: object) -> ProofGoal:
    return goal_of(*derived(inventory, key))


def _text(digest: str, proofs: Mapping[str, list[Step]], derived_proofs: Mapping[str, list[Step]]) -> str:
    """Returns the document, with a proof on each line."""
    head = f'{{"format": "alphaz-proofs", "version": 1, "certificate": "{digest}"'
    return f'{head},\n"proofs": {_lines(proofs)},\n"derived": {_lines(derived_proofs)}}}\n'


def _lines(proofs: Mapping[str, list[Step]]) -> str:
    lines = (f"\n {json.dumps(place)}: {json.dumps(steps, separators=(',', ':'))}" for place, steps in proofs.items())
    return "{" + ",".join(lines) + "}"
