"""The coverage of a C function: what a forged inventory leaves out is named by `recheck`, and has no proof."""

import json
from collections.abc import Callable
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from alphaz.certificate import document
from alphaz.certificate.integer_points import is_in
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.certificate.violation_sets import Absent
from alphaz.cli.certificate_documents import c_certificate_text
from alphaz.diagnostics import Source
from alphaz.kernel.c_coverage import coverage
from alphaz.kernel.certificate_check import derived_outcomes
from alphaz.kernel.checker import NotConfirmed, check, goal_of
from alphaz.proof import isl_engine
from alphaz.proof.refute.document import proofs_of
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.equivalence.asking import asked, peer, verdict
from tests.kernel.derived_sets import read
from tests.kernel.small_sets import Json, at_least, case, equal, total
from tests.kernel.test_derived_c import EQUATIONS, THREADS, text_of

pytestmark = pytest.mark.slow


def named(inventory: Json, text: str) -> list[Json]:
    return [reader for reader in inventory["readers"] if reader["text"] == text]


def no_reader(text: str) -> Callable[[Json], None]:
    def change(inventory: Json) -> None:
        inventory["readers"] = [reader for reader in inventory["readers"] if reader["text"] != text]

    return change


def readers(text: str, **fields: Any) -> Callable[[Json], None]:
    def change(inventory: Json) -> None:
        for reader in named(inventory, text):
            reader.update(fields)

    return change


def first_only(text: str) -> Callable[[Json], None]:
    """Readers of the first index 0 alone."""

    def change(inventory: Json) -> None:
        for reader in named(inventory, text):
            for piece in reader["domain"][0]:
                piece["rows"].append(equal(**{reader["names"][0]: 1}))

    return change


def entries(name: str, number: int, **fields: Any) -> Callable[[Json], None]:
    return lambda inventory: inventory[name][number].update(fields)


def no_upper_part(inventory: Json) -> None:
    """U has no reader at the end; L has."""
    inventory["readers"] = [r for r in inventory["readers"] if (r["text"], r["key"]) != ("output LU", "U")]


FORGED: list[tuple[str, Callable[[Json], None], set[str]]] = [
    ("threads", lambda _: None, set()),
    ("threads", no_reader("output C"), {"outputs[1]"}),
    ("threads", first_only("output C"), {"outputs[1]"}),
    ("threads", readers("output C", domain=[]), {"outputs[1]"}),
    ("threads", readers("output C", domain=[[]]), {"outputs[1]"}),
    ("threads", readers("output C", array="B"), {"outputs[1]"}),
    ("threads", readers("output C", cell=[total(1)]), {"outputs[1]"}),
    ("threads", readers("output C", point=[total(**{"i.END": 1})]), {"outputs[1]"}),
    ("threads", readers("output C", key="B"), {"outputs[1]"}),
    ("threads", readers("output C", statement=0), {"outputs[1]"}),
    ("threads", no_reader("A from A (line 6)"), {"claims[2].needs[0]"}),
    ("threads", first_only("A from A (line 6)"), {"claims[2].needs[0]"}),
    ("threads", readers("A from A (line 6)", array="C"), {"claims[2].needs[0]"}),
    ("threads", readers("A from A (line 6)", claim=1), {"claims[2].needs[0]"}),
    ("threads", readers("A from A (line 6)", statement=1), {"claims[2].needs[0]"}),
    ("threads", entries("statements", 0, domain=[]), {"claims[2]"}),
    ("threads", entries("statements", 0, domain=[[]]), {"claims[2]"}),
    ("threads", lambda inventory: inventory.update(outputs=[]), {"outputs"}),
    ("threads", entries("outputs", 0, domain=[]), {"outputs[0]"}),
    ("threads", entries("outputs", 0, cell=[total(1, i=1)]), {"outputs[0]"}),
    ("threads", entries("outputs", 0, array="C"), {"outputs[0]"}),
    ("threads", lambda inventory: inventory.update(values=[]), {"outputs[0]", "outputs[1]"}),
    ("lu", lambda _: None, set()),
    ("lu", no_upper_part, {"outputs[0]"}),
    ("lu", readers("output LU", cell=[total(**{"j.END": 1}), total(**{"i.END": 1})]), {"outputs[0]"}),
    ("lu", first_only("L from LU (line 16)"), {"claims[1].needs[0]"}),
]


@cache
def certificate_of(name: str) -> str:
    answer = verdict("lu", peer("lu")) if name == "lu" else asked(EQUATIONS, THREADS)
    return c_certificate_text([answer], [Source("k.ab", "")])


@pytest.mark.parametrize(("name", "change", "expected"), FORGED)
def test_what_is_not_covered(name: str, change: Callable[[Json], None], expected: set[str]) -> None:
    inventory = json.loads(text_of(name))["inventory"]
    change(inventory)
    wrong = set()
    for place, state in coverage(inventory):
        try:
            goal = goal_of(*state())
            check(goal, proof_of(goal, 2_000))
        except (NotRefuted, NotConfirmed):
            wrong.add(place)
    assert wrong == expected


@pytest.mark.parametrize("at", [1, 2, 16, 23])
def test_a_forged_certificate(at: int) -> None:
    """Neither isl nor the kernel confirms it, and both say what is not covered."""
    name, change, expected = FORGED[at]
    forged = json.loads(certificate_of(name))
    (program,) = forged["programs"]
    change(program["inventory"])
    renumber(program, json.loads(text_of(name))["inventory"]["readers"])
    text = json.dumps(forged)
    (record,) = document.read(text)[0].programs
    texts = [check.text for check in recheck(record, isl_engine.decide) if check.outcome is RecheckOutcome.DISAGREES]
    assert {f"the inventory does not cover {place}" for place in expected} <= set(texts)
    proofs = proofs_of(text, lambda _: None, budget=2_000)
    reasons = dict(derived_outcomes(text.encode(), proofs.text.encode()))
    assert {place for place, reason in reasons.items() if reason} >= {
        f"programs[0].inventory.{place}" for place in expected
    }


def renumber(program: Json, before: list[Json]) -> None:
    """Leaves out the obligations on readers that are not there any more."""
    numbers = {before.index(r): number for number, r in enumerate(program["inventory"]["readers"]) if r in before}
    if len(numbers) < len(program["inventory"]["readers"]):
        return
    families = [(entry, entry["key"]["families"]) for entry in program["obligations"]]
    program["obligations"] = [entry for entry, roles in families if roles.get("reader", -1) in (-1, *numbers)]
    for roles in (entry["key"]["families"] for entry in program["obligations"]):
        roles.update({"reader": numbers[roles["reader"]]} if "reader" in roles else {})


COPIED = """affine s {N | N>=2}
input
 double A {i | 0<=i<N};
output
 double B {i | 0<=i<N};
let
 B[i] = case {| i<2}: A[i]; {| i>=2}: 0; esac;
.
"""


def test_an_output_that_is_a_copy_or_a_number() -> None:
    text = "for (long i = 0; i < N; i++) if (i < 2) B[i] = A[i]; else B[i] = 0;"
    answer = asked(COPIED, f"void s(long N, const double A[N], double B[N]) {{ {text} }}")
    (program,) = json.loads(c_certificate_text([answer], [Source("k.ab", "")]))["programs"]
    assert program["verdict"] == "proved"
    for value, is_covered in ((program["inventory"]["values"], True), (changed(program["inventory"]["values"]), False)):
        states = dict(coverage({**program["inventory"], "values": value}))
        goal = goal_of(*states["outputs[0]"]())
        if is_covered:
            check(goal, proof_of(goal, 2_000))
        else:
            with pytest.raises(NotRefuted):
                proof_of(goal, 2_000)


def changed(values: list[Json]) -> list[Json]:
    """A copy of another type is no copy."""
    return [{**value, "type": "float"} if value["key"] == "A" else value for value in values]


# --- copies of copies -------------------------------------------------------------------------------------------------

SIZE = 3
POINTS = [*product(range(SIZE + 1), repeat=2)]


def random_copies(random: Random) -> list[Json]:
    """X[i,j] is A[i,j], or a copy of X at another point, in a few cases; A is an input."""
    names, definitions = ["i", "j"], list[Json]()
    for key in random.choices("XXA", k=random.randint(1, 2)):
        at = [total(random.randint(-1, 1), **{name: 1}) for name in names]
        at[0] = total(j=1) if not definitions and random.random() < 0.3 else at[0]
        pieces = []
        for _ in range(random.randint(1, 2)):
            (low, high), (left, right) = (sorted(random.choices(range(SIZE), k=2)) for _ in names)
            bounds = at_least(-low, i=1), at_least(high, i=-1), at_least(-left, j=1), at_least(right, j=-1)
            pieces.append(case(*bounds, *random.choice(((), (equal(i=1, j=-1),), (at_least(1, i=1, j=-1),)))))
            if random.random() < 0.2:
                half = {"name": "h", "sum": total(i=1), "by": 2}
                pieces[-1] = {"rows": [*pieces[-1]["rows"], equal(i=1, h=-2)], "divisions": [half]}
        term = {"operator": "value", "type": "", "operands": [], "access": None, "name": key, "at": at}
        definitions.append({"domain": pieces, "term": term, "operator": "", "items": []})
    return [
        {"key": key, "type": "double", "indices": names, "definitions": d} for key, d in (("X", definitions), ("A", []))
    ]


def reached(values: list[Json], point: tuple[int, ...]) -> set[tuple[str, tuple[int, ...]]]:
    """Returns the values of which X[point] is a copy, one copy after the other."""
    waiting, found = [("X", point)], set[tuple[str, tuple[int, ...]]]()
    while waiting:
        key, at = now = waiting.pop()
        if now not in found:
            found.add(now)
            there = dict(zip("ij", at, strict=True))
            for definition in values[0]["definitions"] if key == "X" else ():
                if any(holds(piece, there) for piece in definition["domain"]):
                    after = tuple(value_at(sum_, there) for sum_ in definition["term"]["at"])
                    waiting.append((definition["term"]["name"], after))
    return found


def holds(piece: Json, there: dict[str, int]) -> bool:
    names = {**there, **{division["name"]: there["i"] // division["by"] for division in piece["divisions"]}}
    values = ((value_at(row["sum"], names), row["equal"]) for row in piece["rows"])
    return all(value == 0 if is_equality else value >= 0 for value, is_equality in values)


def value_at(sum_: Json, there: dict[str, int]) -> int:
    return int(sum_["constant"]) + sum(int(factor) * there[name] for name, factor in sum_["terms"].items())


def ways(values: list[Json], key: str, origin: list[Json]) -> Callable[[tuple[int, ...]], bool]:
    """Returns whether X[point] is shown to be a value at a point `origin` over i and j, by copies."""
    names = ["i", "j"]
    cell = [total(**{name: 1}) for name in names]
    reader: Json = {"statement": None, "claim": None, "need": None, "names": names, "domain": [[case()]], "array": "B"}
    reader |= {"cell": cell, "key": key, "point": origin, "is_sum": False, "text": "output X"}
    output = {"array": "B", "variable": "X", "names": names, "domain": [case()], "cell": cell}
    inventory = {"parameters": [], "claims": [], "readers": [reader], "outputs": [output], "values": values}
    violations, table = dict(coverage(inventory))["outputs[0]"]()
    stated = read(violations, table)
    return lambda point: any(is_way(way, dict(zip(stated.names, point, strict=True))) for way in stated.absent)


@pytest.mark.parametrize("seed", range(8))
def test_copies_are_those_that_are_made(seed: int) -> None:
    """A point that is covered has the value that the reader has, by copies that are made one by one."""
    random = Random(seed)
    values, key = random_copies(random), random.choice("XA")
    origin = [random.choice((total(random.randint(-1, 2)), total(**{name: 1}))) for name in "ij"]
    is_covered = ways(values, key, origin)
    for point in POINTS:
        if is_covered(point):
            wanted = tuple(value_at(sum_, dict(zip("ij", point, strict=True))) for sum_ in origin)
            assert (key, wanted) in reached(values, point), point


INSIDE = at_least(-1, i=1), at_least(3, i=-1)


ALONG: list[tuple[list[Json], str, Json, set[int]]] = [
    ([case(*INSIDE)], "X", total(), {0, 1, 2, 3}),
    ([case(*INSIDE)], "X", total(1), {1, 2, 3}),
    ([case(*INSIDE)], "X", total(-1), {-1}),
    ([case(*INSIDE)], "A", total(), set()),
    ([case(at_least(-1, i=1), at_least(1, i=-1)), case(equal(-3, i=1))], "X", total(), {0, 1}),
    ([case(equal(-1, i=1)), case(equal(-2, i=1)), case(equal(-3, i=1))], "X", total(), {0, 1, 2, 3}),
    ([case(*INSIDE, equal(i=1, h=-2), h=(total(i=1), 2))], "X", total(), {0}),
    ([case(*INSIDE, equal(-1, i=1, h=-2), h=(total(i=1), 2))], "X", total(), {0, 1}),
]


@pytest.mark.parametrize(("pieces", "key", "origin", "expected"), ALONG)
def test_copies_along_an_index(pieces: list[Json], key: str, origin: Json, expected: set[int]) -> None:
    """X[i,j] = X[i-1,j] in these cases: the points that are copies of X[origin,j], each a number of steps away."""
    at = [total(-1, i=1), total(j=1)]
    term = {"operator": "value", "type": "", "operands": [], "access": None, "name": "X", "at": at}
    definition = {"domain": pieces, "term": term, "operator": "", "items": []}
    value = {"key": "X", "type": "double", "indices": ["i", "j"], "definitions": [definition]}
    is_covered = ways([value, {**value, "key": "A", "definitions": []}], key, [origin, total(j=1)])
    assert {i for i in range(-1, 5) if is_covered((i, 0))} == expected


def is_way(way: Absent, there: dict[str, int]) -> bool:
    """Returns True if a set has a point there, with small numbers of copies."""
    numbers = (
        dict(zip(way.names, counts, strict=True)) for counts in product(range(-SIZE, SIZE + 2), repeat=len(way.names))
    )
    return any(all(is_in(part, {**there, **counts}) for part in way.parts) for counts in numbers)
