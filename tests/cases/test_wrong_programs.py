"""Every wrong program of the corpus gets exactly the findings that are written below it, in source order.

A line of expectation is `CODE line:column | fragment | ...`: each fragment stands in the message, the witness or the
help of the finding. Where a program has errors, its warnings are not listed.
"""

import re
from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Diagnostic, Rejected, Source

FOLDER = Path(__file__).parent / "wrong"
DOCUMENTS = sorted(FOLDER.glob("*.md"))


def fence(document: str, language: str) -> str:
    """The text of the one fenced block of that language."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", document, re.M | re.S)
    assert len(blocks) == 1, f"one block of {language} is needed"
    return str(blocks[0])


def findings(name: str, program: str) -> tuple[Diagnostic, ...]:
    """All errors, or all warnings of a program without errors."""
    try:
        return read_program(Source(name, program)).warnings
    except Rejected as rejected:
        return rejected.diagnostics


def place(finding: Diagnostic) -> str:
    line, column = finding.primary.span.position
    return f"{finding.rule.code} {line}:{column}"


def said(finding: Diagnostic) -> str:
    """All that a user reads of it."""
    witness = finding.witness.sentence if finding.witness else ""
    return " ".join((finding.message, finding.primary.text, witness, *finding.notes, finding.help or ""))


def test_the_corpus_of_wrong_programs_is_large() -> None:
    assert len(DOCUMENTS) >= 60
    assert sum(len(fence(d.read_text(encoding="utf-8"), "expect").splitlines()) > 1 for d in DOCUMENTS) >= 10


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_the_findings_are_those_expected(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    wanted = [[part.strip() for part in line.split(" | ")] for line in fence(text, "expect").splitlines()]
    diagnostics = findings(document.name, fence(text, "alphabets"))
    assert [place(diagnostic) for diagnostic in diagnostics] == [line[0] for line in wanted], [
        said(diagnostic) for diagnostic in diagnostics
    ]
    for finding, (_, *fragments) in zip(diagnostics, wanted, strict=True):
        for fragment in fragments:
            assert fragment in said(finding)
