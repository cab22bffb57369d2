"""`verify --certificate FILE --proofs` and `recheck --kernel`: no solver decides."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from alphaz.proof.refute import document
from alphaz.proof.refute.search import NotRefuted
from tests.certificate.sample_certificates import SAMPLES
from tests.cli.command_line import ask

PROOFS = "proof.proofs.json"
WRITE_BOTH = "write both by `alphaz verify`, `prove` or `run --prove` with --certificate and --proofs"


WRITTEN: dict[str, str] = {}
"""The files that `verify` wrote in the first test."""


@pytest.fixture
def certificate(folder: Path) -> Path:
    if not WRITTEN:
        answer = ask("verify", "right.cs", "wrong.cs", "--certificate", "proof.json", "--proofs")
        assert answer.code == 1
        assert answer.err.splitlines()[-1].startswith(f"wrote {PROOFS}: proofs of ")
        WRITTEN.update({name: (folder / name).read_text() for name in ("proof.json", PROOFS)})
    for name, text in WRITTEN.items():
        (folder / name).write_text(text)
    return folder / "proof.json"


def test_every_verdict_is_confirmed_without_a_solver(certificate: Path) -> None:
    answer = ask("recheck", "proof.json", "--kernel")
    assert answer.code == 0, answer.out
    assert answer.out.splitlines()[-1].startswith("kernel: all ")
    loaded = (
        "import sys; from alphaz.cli.main import main; sys.argv = ['alphaz', 'recheck', 'proof.json', '--kernel']\n"
    )
    loaded += (
        "try: main()\nexcept SystemExit as end: assert end.code == 0\nassert not {'islpy', 'z3'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", loaded], cwd=certificate.parent, check=False).returncode == 0


def test_a_set_without_a_proof_is_unknown(certificate: Path) -> None:
    path = certificate.parent / PROOFS
    document = json.loads(path.read_text())
    del document["proofs"]["systems[0].obligations[0]"]
    path.write_text(json.dumps(document))
    answer = ask("recheck", "proof.json", "--kernel", "--list")
    assert answer.code == 1
    assert sum(line.endswith("unknown: it has no proof") for line in answer.out.splitlines()) == 1


def test_leaves_are_those_of_proofs_that_the_kernel_confirms(certificate: Path) -> None:
    assert ask("recheck", "proof.json", "--leaves", "all").code == 0
    path = certificate.parent / PROOFS
    document = json.loads(path.read_text())
    del document["proofs"]["systems[0].obligations[0]"]
    path.write_text(json.dumps(document))
    answer = ask("recheck", "proof.json", "--leaves", "some")
    assert answer.code == 1
    assert answer.out.endswith(" sets the kernel does not confirm 1\n")
    for text in ('{"format":"alphaz-proofs"}', "[]", '{"format":"alphaz-proofs","certificate":""}'):
        path.write_text(text)
        assert ask("recheck", "proof.json", "--leaves", "none").code == 2
    path.unlink()
    assert "write the proofs of proof.json by `alphaz verify`" in ask("recheck", "proof.json", "--kernel").err


@pytest.mark.parametrize("options", [("--kernel", "--leaves", "x"), ("--kernel", "--engine", "smt")])
def test_options_of_which_one_would_be_ignored_are_refused(certificate: Path, options: tuple[str, ...]) -> None:
    assert "exclude each other" in ask("recheck", "proof.json", *options).err


def test_a_script_that_is_not_read_leaves_the_certificate(certificate: Path) -> None:
    (certificate.parent / "unread.cs").write_text('prog = ReadAlphabets("none.ab");\n')
    before = certificate.read_text()
    assert ask("verify", "unread.cs", "--certificate", "proof.json", "--proofs").code == 1
    assert certificate.read_text() == before


def test_what_has_no_proof_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(goal: object, budget: int, **_: object) -> object:
        raise NotRefuted("more than 0 steps")

    monkeypatch.setattr(document, "proof_of", nothing)
    lines = ask("verify", "right.cs", "--certificate", "proof.json", "--proofs").err.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(f"wrote {PROOFS}: proofs of 0 of "))
    assert len(lines) == start + 12
    assert lines[start + 1].startswith("  no proof of systems[0].")
    assert lines[start + 1].endswith(" (more than 0 steps)")
    assert lines[-1].endswith("more: `recheck --kernel` lists all")


KERNEL = SAMPLES / "kernels" / "jacobi-1d"
RUNS = [
    pytest.param(["verify", "right.cs"], marks=pytest.mark.slow),
    pytest.param(
        ["prove", "--no-execution", str(KERNEL / "jacobi-1d.ab"), str(KERNEL / "jacobi-1d-peer.c")],
        marks=pytest.mark.long,
    ),
]


@pytest.mark.parametrize("command", RUNS, ids=["mapping", "C"])
def test_two_runs_write_the_same_bytes(folder: Path, command: list[str]) -> None:
    """The order of Python's sets of texts differs between the two."""
    texts = []
    for seed in "12":
        arguments = [*command, "--certificate", "same.json", "--proofs"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-m", "alphaz", *arguments], env=environment, check=True)
        texts.append([(folder / f"same{end}").read_bytes() for end in (".json", ".proofs.json")])
    assert texts[0] == texts[1]


def test_proofs_of_another_certificate(certificate: Path) -> None:
    certificate.write_text(certificate.read_text().replace("refuted", "proved"))
    answer = ask("recheck", "proof.json", "--kernel")
    assert (answer.code, answer.out) == (2, "")
    assert (
        answer.err
        == f"alphaz: {PROOFS} cannot be used for proof.json: the proofs are of another certificate; {WRITE_BOTH}\n"
    )


def test_a_witness_that_is_none(certificate: Path) -> None:
    """The proofs of the others are right: their digest is renewed, as a forger would do."""
    document = json.loads(certificate.read_text())
    (entry,) = [e for system in document["systems"] for e in system["obligations"] if e["verdict"] == "refuted"]
    entry["witness"] = dict.fromkeys(entry["witness"], -1)
    certificate.write_text(json.dumps(document))
    forge(certificate)
    answer = ask("recheck", "proof.json", "--kernel")
    assert answer.code == 1
    assert "disagrees: its witness is no violation" in answer.out


def test_a_refuted_obligation_that_is_called_proved(certificate: Path) -> None:
    document = json.loads(certificate.read_text())
    (entry,) = [e for system in document["systems"] for e in system["obligations"] if e["verdict"] == "refuted"]
    entry.update(verdict="proved", witness="empty")
    document["systems"][1]["verdict"] = "proved"
    certificate.write_text(json.dumps(document))
    forge(certificate)
    answer = ask("recheck", "proof.json", "--kernel")
    assert answer.code == 1
    assert "unknown: it has no proof" in answer.out


def forge(certificate: Path) -> None:
    path = certificate.parent / PROOFS
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | {"certificate": sha256(certificate.read_bytes()).hexdigest()}))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "right.cs", "--proofs"], "--proofs goes with --certificate"),
        (["recheck", "proof.json", "--proofs", "other.json"], "--proofs goes with --kernel"),
        (["recheck", "proof.json", "--kernel", "--proofs", "none.json"], "none.json does not exist"),
    ],
)
def test_options_that_do_not_fit(certificate: Path, arguments: list[str], message: str) -> None:
    answer = ask(*arguments)
    assert answer.code == 2
    assert message in answer.err
