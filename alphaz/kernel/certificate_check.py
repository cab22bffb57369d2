"""Checks the sets of a certificate as stated and, from its inventory, as derived. A copy of the folder is enough:

python -m kernel c.json c.proofs.json
"""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from .c_coverage import StatedSet, coverage
from .c_sets import derived_of_c
from .cases import Json
from .checker import NotConfirmed, ProofGoal, check, elements, goal_of, load, members, refuse, steps_of
from .checker import main as checked_as_stated
from .derive import derived


def derived_entries(document: Json) -> Iterator[tuple[str, StatedSet]]:
    """Yields the place of each obligation that a certificate calls proved, and the function that states its set; and
    those of the coverage of each proved C function."""
    for where, state in ("systems", derived), ("programs", derived_of_c):
        for number, record in enumerate(map(members, elements(document[where]))):
            for at, entry in enumerate(map(members, elements(record["obligations"]))):
                inventory, key = record["inventory"], entry["key"]
                if entry["verdict"] == "proved":
                    yield f"{where}[{number}].obligations[{at}]", partial(state, inventory, key)
            if where == "programs" and record["verdict"] == "proved":
                for place, state_ in coverage(record["inventory"]):
                    yield f"{where}[{number}].inventory.{place}", state_


def derived_proof(proofs: Json, place: str, goal: ProofGoal) -> object:
    """Returns the proof of a derived set: its own, or that of the set as stated. Raises NotConfirmed."""
    own = members(proofs["derived"])
    steps = steps_of(proofs, own.get(place, members(proofs["proofs"]).get(place, [])))
    try:
        check(goal, steps)
    except NotConfirmed as reason:
        refuse(str(reason) if place in own else "the set that follows from the inventory has no proof")
    return steps


def derived_outcomes(certificate: bytes, proofs: bytes) -> Iterator[tuple[str, str]]:
    """Yields the place of each set that is derived, and the reason why it is not shown to be empty ("" where it is).

    The documents are those that `outcomes` accepts."""
    proofs_document = load(proofs)
    for place, state in derived_entries(load(certificate)):
        try:
            derived_proof(proofs_document, place, goal_of(*state()))
            yield place, ""
        except NotConfirmed as reason:
            yield place, str(reason)


def main(names: Sequence[str]) -> int:
    """Returns 0 if all sets are shown to be empty, as stated and as derived; else 1."""
    code = checked_as_stated(names)
    verdicts = dict(derived_outcomes(*(Path(name).read_bytes() for name in names)))
    sys.stdout.writelines(f"{place}: {reason}\n" for place, reason in verdicts.items() if reason)
    confirmed = list(verdicts.values()).count("")
    sys.stdout.write(f"derived from the inventory: {confirmed} of {len(verdicts)} sets are empty\n")
    return code if confirmed == len(verdicts) else 1
