"""Small sets as JSON, proofs of them written by hand, and a certificate that states them."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from alphaz.kernel.checker import ENTRIES, RECORDS, VERSIONS, ProofGoal, check, goal_of

Json = dict[str, Any]


def total(constant: int = 0, **terms: int) -> Json:
    return {"terms": terms, "constant": constant}


def at_least(constant: int = 0, **terms: int) -> Json:
    """The row `terms + constant >= 0`."""
    return {"sum": total(constant, **terms), "equal": False}


def equal(constant: int = 0, **terms: int) -> Json:
    return {"sum": total(constant, **terms), "equal": True}


def case(*rows: Json, **quotients: tuple[Json, int]) -> Json:
    divisions = [{"name": name, "sum": key, "by": by} for name, (key, by) in quotients.items()]
    return {"rows": list(rows), "divisions": divisions}


def absent(names: str, *parts: list[Json], without: Iterable[Json] = (), nested: Iterable[Json] = ()) -> Json:
    return {"names": names.split(), "parts": list(parts), "without": list(without), "absent": list(nested)}


@dataclass(frozen=True)
class SmallSet:
    """A set: names, auxiliary names, parts, cases that must not hold, and absent sets."""

    names: str
    parts: tuple[list[Json], ...]
    auxiliary: str = ""
    without: tuple[Json, ...] = ()
    absent: tuple[Json, ...] = ()

    def violations(self, table: list[Any]) -> Json:
        """Returns the set with numbers of parts, which are added to the table."""
        names = {"parameters": self.names.split()[:1], "names": self.names.split()[1:]}
        stated = {"parts": list(self.parts), "without": list(self.without), "absent": list(self.absent)}
        return {**names, "auxiliary": self.auxiliary.split(), **numbered(stated, table)}

    @property
    def goal(self) -> ProofGoal:
        table: list[Any] = []
        return goal_of(self.violations(table), table)


def numbered(stated: Json, table: list[Any]) -> Json:
    """Returns a set with numbers of parts: of `without`, the first case is one part, and all others another one."""
    numbers = {}
    without = [part for part in (stated["without"][:1], stated["without"][1:]) if part]
    for name, parts in (("parts", stated["parts"]), ("without", without)):
        numbers[name] = list(range(len(table), len(table) + len(parts)))
        table += parts
    return {**stated, **numbers, "absent": [numbered(inner, table) for inner in stated["absent"]]}


EMPTY: dict[str, tuple[SmallSet, list[Any]]] = {
    "two rows": (
        SmallSet("x", ([case(at_least(-1, x=1), at_least(x=-1))],)),
        [["sum", 0, 1, 1, 1]],
    ),
    "factors": (
        SmallSet("x y", ([case(at_least(-1, x=2, y=3), equal(x=-1), at_least(y=-1))],)),
        [["sum", 0, 1, 1, 2, 2, 3]],
    ),
    "an equality with a negative factor": (
        SmallSet("x", ([case(at_least(-3, x=-2), equal(x=1, constant=1))], [case(at_least(x=2))])),
        [["sum", 1, -1, 2, 1]],
    ),
    "a part without cases": (SmallSet("x", ([],)), [["case", 0]]),
    "a case that is false": (SmallSet("x", ([case(at_least(-1))],)), [["sum", 0, 1]]),
    "an equality without integers": (SmallSet("x y", ([case(equal(1, x=2, y=4))],)), [["sum", 0, 1]]),
    "a row that is rounded": (
        SmallSet("x", ([case(at_least(-1, x=3), at_least(2, x=-3))],)),
        [["sum", 0, 1, 1, 1]],
    ),
    "two cases": (
        SmallSet("x", ([case(at_least(-1, x=1))], [case(at_least(x=-1)), case(equal(5, x=1))])),
        [["case", 0], ["sum", 0, 1, 1, 1], ["sum", 0, 1, 1, -1]],
    ),
    "a split": (
        SmallSet(
            "x y z",
            ([case(at_least(x=1, y=-2), at_least(x=-1, y=2), at_least(-1, x=1, z=-2), at_least(1, x=-1, z=2))],),
        ),
        [["split", [[1, 1], [2, -1]], 0], ["sum", 1, 1, 2, 1, 4, 2], ["sum", 0, 1, 3, 1, 4, 2]],
    ),
    "quotients": (
        SmallSet("x", ([case(at_least(x=1, q=-3, constant=-3), q=(total(x=1), 3))],)),
        [["sum", 1, 1, 2, 1]],
    ),
    "quotients of quotients": (
        SmallSet("x", ([case(at_least(x=1, r=-6, constant=-6), q=(total(x=1), 2), r=(total(q=1), 3))],)),
        [["sum", 1, 1, 3, 2, 4, 1]],
    ),
    "an auxiliary name": (
        SmallSet("x", ([case(equal(1, x=2, e=4))],), auxiliary="e"),
        [["sum", 0, 1]],
    ),
    "all cases excluded": (
        SmallSet("x", (), without=(case(at_least(x=1)), case(at_least(x=-1)))),
        [["sum", 0, 1, 1, 1]],
    ),
    "an excluded equality": (
        SmallSet("x", ([case(equal(x=1))],), without=(case(equal(x=1)),)),
        [["case", 0], ["sum", 0, -1, 1, 1], ["sum", 0, 1, 1, 1]],
    ),
    "an excluded quotient": (
        SmallSet("x", (), without=(case(at_least(x=1, q=-3), q=(total(x=1), 3)),)),
        [["sum", 0, 1, 2, 1]],
    ),
    "nothing absent": (SmallSet("x", (), absent=(absent("w"),)), [["instance", 0, [[[[0, 1]], 0]]]]),
    "an absent value": (
        SmallSet("x", ([case(at_least(x=1))],), absent=(absent("w", [case(equal(x=-1, w=1))]),)),
        [["instance", 0, [[[[0, 1]], 0]]], ["case", 0], ["sum", 1, 1], ["sum", 1, 1]],
    ),
    "an absent quotient": (
        SmallSet("x", (), absent=(absent("w", [case(at_least(x=1, w=-2), at_least(1, x=-1, w=2))]),)),
        [
            ["let", [[0, 1]], 0, 2],
            ["instance", 0, [[[[1, 1]], 0]]],
            ["case", 0],
            ["sum", 0, 1, 2, 1],
            ["sum", 1, 1, 2, 1],
        ],
    ),
    "an absent set with exceptions": (
        SmallSet(
            "x",
            ([case(at_least(-1, x=1))],),
            absent=(
                absent(
                    "w",
                    [case(at_least(w=1)), case(equal(5, w=1))],
                    without=[case(at_least(-1, w=-1))],
                    nested=[absent("v", [case(equal(x=1, v=-1), at_least(v=-1))])],
                ),
            ),
        ),
        [
            ["instance", 0, [[[], 0]]],
            ["sum", 1, 1],
            ["sum", 1, 1],
            ["sum", 0, 1, 1, -1, 2, 1],
        ],
    ),
}
"""Sets that are empty, each with a proof."""


def is_confirmed(small_set: SmallSet, steps: object) -> None:
    """Raises NotConfirmed if the kernel refuses the proof."""
    check(small_set.goal, steps)


def certificate(**sets: SmallSet) -> bytes:
    """Returns a certificate with a system that has these obligations."""
    table: list[Any] = []
    obligations = []
    for name, value in sets.items():
        entry = dict.fromkeys(ENTRIES["obligations"].split(), "")
        obligations.append(entry | {"id": name, "verdict": "proved", "violations": value.violations(table)})
    record: Json = dict.fromkeys(RECORDS["systems"].split())
    record |= {"verdict": "proved", "separations": [], "obligations": obligations, "parts": table}
    document: Json = {
        "format": "alphaz-certificate",
        "version": VERSIONS[0],
        "versions": {},
        "files": [],
        "systems": [record],
    }
    return json.dumps(document | {"programs": [], "digest": ""}).encode()


def proofs(data: bytes, *steps: object) -> bytes:
    """Returns the document of proofs for the obligations of a certificate."""
    table: list[object] = []
    places: Json = {}
    for number, proof in enumerate(steps):
        listed = proof if isinstance(proof, list) else []
        places[f"systems[0].obligations[{number}]"] = [*range(len(table), len(table) + len(listed))] or proof
        table += listed
    document: Json = {"format": "alphaz-proofs", "version": 2, "certificate": hashlib.sha256(data).hexdigest()}
    return json.dumps(document | {"steps": table, "proofs": places, "derived": {}}).encode()
