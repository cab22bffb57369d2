"""Certificates of overlapped tiles and private memory: all engines confirm them, and changes are noticed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alphaz.certificate import document, smt
from alphaz.certificate.engine_answer import Decision
from alphaz.certificate.inventory_text import inventory_text
from alphaz.certificate.mapping_inventory import Record
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.kernel.certificate_check import derived_outcomes
from alphaz.kernel.checker import NotConfirmed, goal_of
from alphaz.kernel.derive import derived
from alphaz.proof import isl_engine
from alphaz.proof.refute.document import proofs_of
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.certificate.sample_certificates import certificate
from tests.kernel.derived_sets import disagreements
from tests.kernel.small_sets import at_least, total
from tests.thinning import thinned
from tests.transform.test_overlap import HALO, OWN, SELECTED

pytestmark = pytest.mark.slow


def record_of(folder: Path, bounds: tuple[str, str, str] = ("4", "", "3"), modulo: str = ', "6"') -> Record:
    """Tiles b of 4 values of K, kept at [i,b], from values L[b,i] that each tile computes for itself."""
    (folder / "program.ab").write_text(HALO % bounds)
    script = folder / "script.cs"
    script.write_text(
        f'prog = ReadAlphabets("program.ab");\n{OWN % modulo}{SELECTED}\nVerifyTargetMapping(prog, "sweep", "MIN");\n'
    )
    (record,) = certificate(script).systems
    return record


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return record_of(tmp_path_factory.mktemp("tiles"))


def text_of(record: Record) -> str:
    return document.write(document.Certificate({}, (), (record,)))


def test_all_engines_confirm_it(tiles: Record) -> None:
    for _, decide in (isl_engine.engine(), smt.engine()):
        assert [check for check in recheck(tiles, decide) if check.outcome is not RecheckOutcome.AGREES] == []
    assert {"S4", "M5"} <= {entry.key.kind for entry in tiles.obligations}
    text = text_of(tiles)
    proofs = proofs_of(text, lambda place: None)
    assert proofs.missing == {}
    assert set(dict(derived_outcomes(text.encode(), proofs.text.encode())).values()) == {""}


def test_its_text(tiles: Record) -> None:
    lines = list(inventory_text(tiles, lambda place: ""))
    assert "  L[b,i] in L[0,b,-4b + i] modulo [0,0,6], private to iterations of the first 2 dimensions" in lines
    (kept,) = (line for line in lines if line.startswith("  K[i] for "))
    assert ": that of [i,b] at [i], for " in kept


@pytest.mark.parametrize(
    ("bounds", "modulo", "kinds"),
    [
        (("5", "", "4"), ', "7"', {"S4"}),
        (("3", "", "3"), ', "5"', {"S4"}),
        (("4", "+1", "3"), ', "6"', {"S4"}),
        (("4", "", "3"), ', "5"', {"M"}),
    ],
)
def test_wrong_tiles(tmp_path: Path, bounds: tuple[str, str, str], modulo: str, kinds: set[str]) -> None:
    record = record_of(tmp_path, bounds, modulo)
    assert {entry.key.kind for entry in record.obligations if entry.verdict != "proved"} == kinds
    assert list(disagreements(record)) == []


Change = Callable[[Any], object]


def family(inventory: Any, name: str) -> Any:
    return next(operation for operation in inventory["operations"] if operation["name"] == name)


def cell(inventory: Any, variable: str) -> Any:
    return next(cell for cell in inventory["cells"] if cell["variable"] == variable)


def instances(change: Change) -> Change:
    """The same change of the instances that are kept, and of the operations that compute them."""

    def changed(inventory: Any) -> None:
        change(inventory["kept"][0]["instances"])
        change(family(inventory, "K.body")["domain"])

    return changed


def bound(name: str, value: int) -> Change:
    """Changes the constants of the rows that compare i with 4b: tiles of another size, or at another place."""

    def changed(cases: Any) -> None:
        rows = [row for case in cases for row in case["rows"] if {"i", "b"} <= {*row["sum"]["terms"]}]
        wanted = 1 if name == "first" else -1
        for row in rows:
            if row["sum"]["terms"]["i"] == wanted:
                row["sum"]["constant"] += value

    return changed


def factor(value: int) -> Change:
    def changed(cases: Any) -> None:
        for row in (row for case in cases for row in case["rows"]):
            if abs(row["sum"]["terms"].get("b", 0)) == 4:
                row["sum"]["terms"]["b"] *= value
                row["sum"]["terms"]["b"] //= 4

    return changed


def fewer_values(inventory: Any) -> None:
    """Without the last instance of a tile, and without the last value: a read needs it."""
    (kept,) = inventory["kept"]
    kept["domain"] = [{**case, "rows": [*case["rows"], at_least(-2, N=1, i=-1)]} for case in kept["domain"]]
    instances(bound("last", -1))(inventory)


WRONG: dict[str, Change] = {
    "smaller tiles": instances(factor(3)),
    "larger tiles": instances(factor(5)),
    "a gap before": instances(bound("first", -1)),
    "a gap behind": instances(bound("last", -1)),
    "two tiles keep the first": instances(bound("first", 1)),
    "two tiles keep the last": instances(bound("last", 1)),
    "no instance": instances(lambda cases: cases.clear()),
    "only even values": instances(lambda cases: cases[0]["rows"].append({"sum": total(i=1, b=-4), "equal": True})),
    "another value": lambda inventory: inventory["kept"][0].update(target=[total(1, i=1)]),
    "one value": lambda inventory: inventory["kept"][0].update(target=[total()]),
    "an instance that is not computed": lambda inventory: inventory["kept"][0]["instances"].clear(),
    "a computed value without an instance": lambda inventory: family(inventory, "K.body")["domain"].clear(),
    "fewer values": fewer_values,
    "values that are only read": lambda inventory: (
        inventory["kept"][0]["domain"].clear(),
        instances(factor(3))(inventory),
    ),
    "no variable is kept": lambda inventory: inventory["kept"].clear(),
    "another variable": lambda inventory: inventory["kept"][0].update(variable="L"),
    "private to a point": lambda inventory: cell(inventory, "L").update(outer=3),
    "private to what does not number iterations": lambda inventory: cell(inventory, "L")["map"].__setitem__(
        1, total(i=1)
    ),
    "more private than it has components": lambda inventory: cell(inventory, "L").update(outer=4),
    "not private": lambda inventory: cell(inventory, "L").update(outer=0),
    "less than nothing": lambda inventory: cell(inventory, "L").update(outer=-1),
    "an array of the whole run that is private": lambda inventory: cell(inventory, "K").update(outer=1),
    "two depths in one space": lambda inventory: cell(inventory, "K").update(space=cell(inventory, "L")["space"]),
    "read in another iteration": lambda inventory: family(inventory, "K.body")["date"].__setitem__(1, total(1, b=1)),
    "five cells": lambda inventory: cell(inventory, "L")["factors"].__setitem__(-1, total(5)),
    "tiles of iterations": lambda inventory: inventory["bands"].append(
        {"prefix": [0], "first": 1, "last": 2, "ordering": [], "registers": False, "sizes": [[2, 2]]}
        | {"wavefront": [], "recursive": []}
    ),
    "ranks": lambda inventory: inventory.update(
        ranks={"first": 1, "last": 1, "blocks": True, "pipeline": False, "ghosts": [], "border": None, "scans": []}
    ),
}


@pytest.mark.parametrize("name", thinned(WRONG))
def test_a_changed_inventory_is_not_confirmed(tiles: Record, name: str) -> None:
    """The sets as stated, and their proofs, stay right. New ones are looked for of the sets of the new inventory."""
    changed = json.loads(text_of(tiles))
    (system,) = changed["systems"]
    WRONG[name](system["inventory"])
    (record,) = document.read(json.dumps(changed))[0].systems
    contradicts = any(check.outcome is RecheckOutcome.DISAGREES for check in recheck(record, lambda *_: Decision(True)))
    assert contradicts or not all(is_derived(system["inventory"], entry["key"]) for entry in system["obligations"])


def is_derived(inventory: Any, key: Any) -> bool:
    """Returns True if the derived set has a proof."""
    try:
        proof_of(goal_of(*derived(inventory, key)), 2_000)
    except (NotRefuted, NotConfirmed):
        return False
    return True
