"""The proofs of all sets that a certificate calls empty, as the document that the kernel reads."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from alphaz.kernel.checker import goal_of, load, sets
from alphaz.proof.refute.search import BUDGET, NotRefuted, proof_of
from alphaz.proof.refute.tree import Step


@dataclass(frozen=True, slots=True)
class FoundProofs:
    """The steps of each proof that was found, and the reason for each set without a proof, by their places."""

    proofs: Mapping[str, list[Step]]
    missing: Mapping[str, str]
    text: str


def proofs_of(certificate: str, say: Callable[[str], None], budget: int = BUDGET) -> FoundProofs:
    """Returns the proofs for the text of a certificate; `say` is told the place of each set."""
    content = certificate.encode()
    proofs: dict[str, list[Step]] = {}
    missing: dict[str, str] = {}
    for place, entry, table in sets(load(content)):
        if entry.get("verdict", "proved") != "proved":
            continue
        say(place)
        try:
            proofs[place] = proof_of(goal_of(entry["violations"], table), budget)
        except NotRefuted as reason:
            missing[place] = str(reason)
    return FoundProofs(proofs, missing, _text(hashlib.sha256(content).hexdigest(), proofs))


def _text(digest: str, proofs: Mapping[str, list[Step]]) -> str:
    """Returns the document, with a proof on each line."""
    lines = (f" {json.dumps(place)}: {json.dumps(steps, separators=(',', ':'))}" for place, steps in proofs.items())
    head = f'{{"format": "alphaz-proofs", "version": 1, "certificate": "{digest}", "proofs": {{'
    return head + ",".join(f"\n{line}" for line in lines) + "}}\n"
