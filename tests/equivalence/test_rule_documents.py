"""The documents of the rules of C: the wrong example is not proved for this rule, the right one is proved."""

import re
from pathlib import Path

import pytest

from alphaz.diagnostics.rules import document
from tests.cli.command_line import ask

pytestmark = pytest.mark.slow

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("code", ["AZ836", "AZ837"])
def test_the_examples_do_what_they_say(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong, right = re.split(r"^##+ ", document(code), flags=re.MULTILINE)[4:6]
    answers = {}
    for name, section in (("wrong", wrong), ("right", right)):
        texts = dict(_FENCE.findall(section))
        (tmp_path / f"{name}.ab").write_text(texts["alphabets"], encoding="utf-8")
        (tmp_path / f"{name}.c").write_text("#include <stdint.h>\n" + texts["c"], encoding="utf-8")
        answers[name] = ask("prove", f"{name}.ab", f"{name}.c")
    assert re.findall(r"error\[(AZ\d+)\]", answers["wrong"].out) == [code]
    assert all(line in answers["wrong"].out for line in re.findall(r"^witness: .*", wrong, re.MULTILINE))
    assert answers["right"].code == 0
