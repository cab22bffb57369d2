"""`verify --certificate` and `recheck`, with both engines."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import ask


@pytest.fixture
def certificate(folder: Path) -> Path:
    assert ask("verify", "right.cs", "wrong.cs", "--certificate", "proof.json").code == 1
    return folder / "proof.json"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["isl", "smt"])
def test_every_verdict_is_confirmed(certificate: Path, engine: str) -> None:
    answer = ask("recheck", certificate.name, "--engine", engine, "--sources")
    assert answer.code == 0, answer.out
    right, wrong, closing = answer.out.splitlines()
    assert right.startswith("right.cs: sums: proved; ")
    assert wrong.startswith("wrong.cs: sums: refuted; ")
    assert closing.endswith("verdicts agree")
    listed = ask("recheck", certificate.name, "--engine", engine, "--list").out.splitlines()
    systems = json.loads(certificate.read_text())["systems"]
    assert len(listed) == 3 + sum(len(system["separations"]) + len(system["obligations"]) for system in systems)
    assert listed[1].startswith("  A1 no cell belongs to two memory spaces (settles ")


def test_what_a_certificate_says_of_itself(certificate: Path) -> None:
    document = json.loads(certificate.read_text())
    assert {"alphaz", "python", "islpy", "isl"} <= set(document["versions"])
    assert [file["name"] for file in document["files"]] == ["right.cs", "sums.ab", "wrong.cs"]


@pytest.mark.parametrize("engine", ["isl", "smt"])
def test_a_disagreement_names_the_obligation(certificate: Path, engine: str) -> None:
    document = json.loads(certificate.read_text())
    (entry,) = [e for system in document["systems"] for e in system["obligations"] if e["verdict"] == "refuted"]
    entry.update(verdict="proved", witness="empty")
    document["systems"][1]["verdict"] = "proved"
    certificate.write_text(json.dumps(document))
    answer = ask("recheck", certificate.name, "--engine", engine)
    assert answer.code == 1
    assert f"{entry['id']} AZ502 {entry['claim']} (proved): disagrees: the certificate says proved" in answer.out
    assert "was changed since it was written" in answer.out


def test_changed_sources(certificate: Path, folder: Path) -> None:
    (folder / "sums.ab").write_text((folder / "sums.ab").read_text() + "\n")
    (folder / "wrong.cs").unlink()
    answer = ask("recheck", certificate.name, "--sources")
    assert answer.code == 1
    assert "sums.ab is not the text that was verified" in answer.out
    assert "wrong.cs cannot be compared: no such file or directory" in answer.out
    assert ask("recheck", certificate.name).code == 0


def test_a_certificate_of_nothing_proves_nothing(folder: Path) -> None:
    (folder / "plain.cs").write_text('prog = ReadAlphabets("sums.ab");\n')
    assert ask("verify", "plain.cs", "--certificate", "proof.json").code == 0
    answer = ask("recheck", "proof.json")
    assert answer.code == 1
    assert "lists no mapping" in answer.out


def test_a_deadline_leaves_a_certificate_that_is_not_confirmed(certificate: Path) -> None:
    document = json.loads(certificate.read_text())
    system = document["systems"][0]
    system.update(verdict="undecided", inventory=None, separations=[], obligations=[])
    certificate.write_text(json.dumps(document))
    answer = ask("recheck", certificate.name)
    assert answer.code == 1
    assert "unknown: it was undecided" in answer.out


@pytest.mark.slow
def test_the_second_engine_needs_no_isl(certificate: Path) -> None:
    """In a process in which importing islpy, or the room that imports it, is an error."""
    program = (
        "import sys\n"
        "sys.modules['islpy'] = None\n"
        "sys.modules['alphaz.poly'] = None\n"
        "from alphaz.cli.main import main\n"
        f"main(['recheck', {certificate.name!r}, '--engine', 'smt'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert "z3 " in done.stdout


def test_smt_lib_for_other_solvers(certificate: Path, folder: Path) -> None:
    answer = ask("recheck", certificate.name, "--smt-lib", "out")
    document = json.loads(certificate.read_text())
    count = sum(len(system["separations"]) + len(system["obligations"]) for system in document["systems"])
    assert (answer.code, answer.out) == (0, f"wrote {count} obligations to out\n")
    texts = [path.read_text() for path in (folder / "out").glob("*.smt2")]
    assert len(texts) == count
    assert sum("refuted (sat)" in text for text in texts) == 1
    assert all(text.endswith("(check-sat)\n") for text in texts)
