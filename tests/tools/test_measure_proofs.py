"""`scripts/measure-proofs` names files without a certificate, and counts the sets that the finder does not reach."""

from pathlib import Path

import pytest

from alphaz.certificate import document
from tests.certificate.sample_certificates import SAMPLES, certificate
from tools.measure_proofs import main, measured

pytestmark = pytest.mark.slow

SCRIPT = SAMPLES / "forward-substitution" / "fs-columns.cs"


def test_files_without_a_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "c.json"
    target.write_text(document.write(certificate(SCRIPT)), encoding="utf-8")
    assert main(["--generated", str(target), str(tmp_path / "none.cs")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{target} has no certificate: not all C is proved: there is none"
    assert lines[1].startswith(f"{tmp_path / 'none.cs'} has no certificate: `alphaz run` ended with 2: ")
    assert len(lines) == 2


def test_sets_that_are_not_reached(capsys: pytest.CaptureFixture[str]) -> None:
    text = document.write(certificate(SCRIPT))
    counts = measured(text, times_isl=False, seconds=0)
    assert counts["not reached"] == counts["sets"] > counts["accepted"] == 0
    assert capsys.readouterr().out == ""
    counts = measured(text, times_isl=False)
    assert counts["not reached"] == 0 < counts["accepted"] == counts["sets"]
