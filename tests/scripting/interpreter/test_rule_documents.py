"""The documents of the rules of scripts: what is called wrong fires the rule, what is called right does not."""

import re
from pathlib import Path

import pytest

from alphaz.diagnostics import Diagnostic, Source
from alphaz.diagnostics.rules import codes, document
from alphaz.legality.verdicts import Options
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.interpreter.run import Settings, run_script
from alphaz.search.memory.text import memory_advice

pytestmark = pytest.mark.slow

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _with_scripts() -> list[str]:
    """The rules whose example has a script."""
    return [code for code in codes() if "```script" in _documented(code)]


def _documented(code: str) -> str:
    try:
        return document(code)
    except FileNotFoundError:
        return ""  # that each rule has a document is tested with the documents


def _findings(section: str, folder: Path) -> list[Diagnostic]:
    """All findings of the script of the section, on its program."""
    texts = dict(_FENCE.findall(section))
    if "alphabets" in texts:
        (folder / "program.ab").write_text(texts["alphabets"], encoding="utf-8")
    session = run_script(Source("script.cs", texts["script"]), folder, Settings(generate))
    mapped = run_script(Source("script.cs", texts["script"]), folder)
    findings = [*session.findings, *mapped.findings]
    findings += [finding for design_verdict in mapped.design_verdicts for finding in design_verdict.first.findings]
    for design_verdict in mapped.design_verdicts:
        if design_verdict.first.is_proved:
            findings += memory_advice(design_verdict.design, design_verdict.first.system, Options())
    return findings


@pytest.mark.parametrize("code", _with_scripts())
def test_the_examples_do_what_they_say(code: str, tmp_path: Path) -> None:
    wrong, right = re.split(r"^##+ ", document(code), flags=re.MULTILINE)[4:6]
    findings = _findings(wrong, tmp_path)
    assert code in {finding.rule.code for finding in findings}
    assert code not in {finding.rule.code for finding in _findings(right, tmp_path)}
    witnesses = {f"witness: {finding.witness.sentence}" for finding in findings if finding.witness}
    assert witnesses.issuperset(re.findall(r"^witness: .*", wrong, re.MULTILINE))
