"""Fixes: what makes a refuted mapping legal, as edits of the script and as Python. Each is applied, and proved."""

from pathlib import Path

import pytest

import alphaz
from alphaz.diagnostics import Diagnostic, Fix
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "samples"
WRONG = sorted(SAMPLES.glob("*/wrong-*.cs"))


def found(path: Path) -> list[tuple[Diagnostic, Fix]]:
    report = alphaz.verify(alphaz.run(path), hints=True)
    return [(finding, fix) for finding in report.findings for fix in finding.fixes]


def applied(fix: Fix) -> str:
    (edit,) = fix.edits
    text = edit.span.source.text
    return text[: edit.span.start] + edit.text + text[edit.span.end :]


@pytest.mark.parametrize("path", thinned(WRONG, 4), ids=lambda path: path.stem)
def test_each_fix_applied_is_proved_in_the_script_and_in_python(path: Path) -> None:
    fixes = found(path)
    assert fixes
    for _, fix in fixes:
        assert alphaz.verify(alphaz.run(path, text=applied(fix))).is_proved, fix.script
        names = {"design": alphaz.run(path)}
        exec(fix.python, names)  # noqa: S102 - what is offered to be pasted
        assert alphaz.verify(names["design"]).is_proved, fix.python


def test_without_hints_nothing_is_searched() -> None:
    report = alphaz.verify(alphaz.run(WRONG[0]), hints=False)
    assert not any(finding.fixes for finding in report.findings)


def test_a_witness_says_cells_and_why() -> None:
    report = alphaz.verify(alphaz.run(SAMPLES / "matrix-chain" / "wrong-sharing.cs"))
    witness = next(finding.witness for finding in report.findings if finding.witness is not None)
    cells = {place.role: place.cell for place in witness.places}
    assert cells["producer"] == cells["writer"] == ("M", (1,))
    assert witness.reason == "in between"
    report = alphaz.verify(alphaz.run(SAMPLES / "prefix-sum" / "wrong-parallel.cs"))
    witness = next(finding.witness for finding in report.findings if finding.witness is not None)
    assert witness.reason == "unordered: dimension 0 is parallel"


def test_findings_are_shown_short() -> None:
    finding, fix = found(SAMPLES / "prefix-sum" / "wrong-parallel.cs")[0]
    assert repr(finding).endswith("wrong-parallel.cs:3:43: y may read y before it is written>")
    assert len(repr(fix)) < 600


def test_texts_are_read_as_files_are() -> None:
    program = (SAMPLES / "prefix-sum" / "prefix-sum.ab").read_text(encoding="utf-8")
    assert repr(alphaz.read(text=program)) == "Design(prefix_sum)"
    script = 'prog = ReadAlphabets("unsaved.ab");\nsetSpaceTimeMap(prog, "prefix_sum", "y", "(i -> i)");\n'
    design = alphaz.run(text=script, texts={"unsaved.ab": program})
    assert alphaz.verify(design).is_proved
    with pytest.raises(alphaz.Rejected, match=r"<text>:1:\d+"):
        alphaz.run(text="prog = ;")
    with pytest.raises(alphaz.Rejected, match=r"mine\.ab:1"):
        alphaz.read("mine.ab", text="affine")
