"""The sets that the kernel states from the inventory alone are empty where the verifier proved its own, and a changed
inventory is noticed."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from alphaz.certificate import document
from alphaz.kernel import derive
from alphaz.kernel.certificate_check import derived_outcomes, main
from alphaz.kernel.checker import NotConfirmed, goal_of, load
from alphaz.kernel.derive import STATED, derived
from alphaz.proof.refute.document import proofs_of
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.certificate.sample_certificates import SAMPLES, certificate
from tests.thinning import thinned

pytestmark = pytest.mark.slow

MCM = SAMPLES / "matrix-chain" / "mcm.cs"
KERNELS = SAMPLES / "kernels"
SCRIPTS = [
    MCM,
    SAMPLES / "subsystems" / "matrix-vector.cs",
    SAMPLES / "subsystems" / "filter-in-place.cs",
    SAMPLES / "forward-substitution" / "fs-reduce-body.cs",
    SAMPLES / "matrix-product" / "mm-tiled.cs",
    KERNELS / "2mm" / "2mm-tuned.cs",
    KERNELS / "atax" / "atax-tuned.cs",
    SAMPLES / "distributed" / "norm" / "blocks.cs",
]


@cache
def texts(script: Path) -> tuple[str, str]:
    """The certificate of a script, and its proofs."""
    text = document.write(certificate(script))
    proofs = proofs_of(text, lambda place: None)
    assert proofs.missing == {}
    return text, proofs.text


def entries(text: str) -> list[tuple[Any, Any]]:
    """The inventory and each obligation."""
    systems = json.loads(text)["systems"]
    return [(system["inventory"], entry) for system in systems for entry in system["obligations"]]


@pytest.mark.parametrize("script", thinned(SCRIPTS, 3), ids=lambda path: path.stem)
def test_what_is_proved_is_proved_of_the_derived_set(script: Path) -> None:
    text, proofs = texts(script)
    results = dict(derived_outcomes(text.encode(), proofs.encode()))
    keys = [entry["key"] for _, entry in entries(text) if entry["verdict"] == "proved"]
    assert len(results) == len(keys) > 10
    assert set(results.values()) == {""}


def test_the_scripts_have_most_kinds() -> None:
    keys = [entry["key"] for script in SCRIPTS for _, entry in entries(texts(script)[0])]
    others = {kind for kind in STATED if kind in ("S4", "M5", "D13") or kind.startswith("D12")}
    assert {key["kind"] for key in keys} == {*STATED} - others  # tests/certificate has these
    assert {(key["tiled"], key["sized"]) for key in keys} == {(False, False), (True, False), (True, True)}


def test_what_is_refuted_is_not_proved_of_the_derived_set() -> None:
    text = document.write(certificate(SAMPLES / "matrix-chain" / "wrong-sharing.cs"))
    wrong = [(inventory, entry["key"]) for inventory, entry in entries(text) if entry["verdict"] == "refuted"]
    assert wrong
    for inventory, key in wrong:
        with pytest.raises(NotRefuted):
            proof_of(goal_of(*derived(inventory, key)), 1_000)


def operation(change: Callable[[Any], None]) -> Callable[[Any], None]:
    """The change of all operations that have dates."""

    def changed(inventory: Any) -> None:
        for family in inventory["operations"]:
            if family["moment"] == "dated":
                change(family)

    return changed


def turned(family: Any) -> None:
    for component in family["date"]:
        component["terms"] = {name: -c for name, c in component["terms"].items()}


def cells_all_one(inventory: Any) -> None:
    for cell in inventory["cells"]:
        cell.update(space="one", map=[{"terms": {}, "constant": 0} for _ in cell["map"]])


UNPROVED: list[Callable[[Any], object]] = [
    operation(turned),
    operation(lambda family: family.update(kinds=["PARALLEL"] * len(family["kinds"]))),
    operation(lambda family: family.update(date=[{"terms": {}, "constant": 0} for _ in family["date"]])),
    operation(lambda family: family.update(domain=[{"rows": [], "divisions": []}])),
    cells_all_one,
]
MALFORMED: list[tuple[Callable[[Any], object], str]] = [
    (lambda inventory: inventory.update(more=[]), "its keys are not parameters context"),
    (operation(lambda family: family.update(moment="later")), "it is none of start, dated, end"),
    (operation(lambda family: family.update(kinds=["ANY"] * len(family["kinds"]))), "it is none of PARALLEL"),
    (operation(lambda family: family.update(kinds=[])), "a date has another dimension"),
    (operation(lambda family: family.update(whole=-1)), "-1 is not the expected integer"),
    (operation(lambda family: family.update(names=["i"] * len(family["names"]))), "a point has another dimension"),
    (operation(lambda family: family.update(target=[])), "two points have different dimensions"),
    (operation(lambda family: family.update(direct=1)), "true or false is missing"),
    (lambda inventory: inventory.update(cells=[]), "no such entry, or several"),
    (lambda inventory: [read.update(reader=True) for read in inventory["reads"]], "True is not the expected integer"),
    (lambda inventory: [read.update(running=0) for read in inventory["reads"]], "true or false is missing"),
]


@pytest.mark.parametrize("change", UNPROVED)
def test_another_inventory_needs_other_proofs(change: Callable[[Any], object]) -> None:
    """The sets as stated are not changed: a mapping that is not the one of the proof is noticed all the same."""
    assert any(reasons(change))


@pytest.mark.parametrize(("change", "reason"), MALFORMED)
def test_a_malformed_inventory_is_refused(change: Callable[[Any], object], reason: str) -> None:
    assert any(reason in item for item in reasons(change))


def reasons(change: Callable[[Any], object]) -> list[str]:
    text, proofs = texts(MCM)
    certificate_ = json.loads(text)
    for system in certificate_["systems"]:
        change(system["inventory"])
    return [reason for _, reason in derived_outcomes(json.dumps(certificate_).encode(), proofs.encode())]


def test_a_key_that_lacks_a_family() -> None:
    inventory, entry = next((i, e) for i, e in entries(texts(MCM)[0]) if e["key"]["kind"] == "S2")
    with pytest.raises(NotConfirmed, match="the key lacks 'producer'"):
        derived(inventory, {**entry["key"], "families": {}})
    with pytest.raises(NotConfirmed, match="no such kind of obligation"):
        derived(inventory, {**entry["key"], "kind": "Q"})


def test_a_copy_of_the_folder_is_enough(tmp_path: Path) -> None:
    folder = tmp_path / "kernel"
    folder.mkdir()
    for path in Path(derive.__file__).parent.glob("*.py"):
        (folder / path.name).write_bytes(path.read_bytes())
    names = [tmp_path / "c.json", tmp_path / "c.proofs.json"]
    for path, text in zip(names, texts(MCM), strict=True):
        path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-S", "-m", "kernel", *map(str, names)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1].startswith("derived from the inventory: ")
    assert load(names[0].read_bytes())["format"] == "alphaz-certificate"


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(tmp_path / "c.json"), str(tmp_path / "c.proofs.json")]
    for name, text in zip(names, texts(MCM), strict=True):
        Path(name).write_text(text, encoding="utf-8")
    assert main(names) == 0
    stated, last = capsys.readouterr().out.splitlines()
    assert (stated.split(":")[0], last.split(":")[0]) == ("kernel", "derived from the inventory")
    document_ = json.loads(texts(MCM)[1])
    place, _ = document_["derived"].popitem()
    Path(names[1]).write_text(json.dumps(document_), encoding="utf-8")
    assert main(names) == 1
    assert f"{place}: the set that follows from the inventory has no proof\n" in capsys.readouterr().out


def test_it_is_short() -> None:
    of_mappings, of_c = 0, 0
    for path in (path for path in Path(derive.__file__).parent.glob("*.py") if path.name != "checker.py"):
        count = len(path.read_text(encoding="utf-8").splitlines())
        of_mappings, of_c = (of_mappings, of_c + count) if path.name.startswith("c_") else (of_mappings + count, of_c)
    assert of_mappings <= 1130
    assert of_c <= 790
