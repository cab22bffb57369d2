"""Maps and domains in scripts are warned of as in programs: carets that are no powers, lists that share comparisons."""

from pathlib import Path

import pytest

from alphaz.diagnostics import Source
from alphaz.scripting.interpreter.run import run_script

HEAD = 'prog = ReadAlphabets("s.ab");\n'


@pytest.mark.parametrize(
    ("line", "rule", "text"),
    [
        ('setSpaceTimeMap(prog, "s", "y", "(i -> 2^i)");', "AZ104", "2^i"),
        ('setMemoryMap(prog, "s", "y", "(i -> 2^i)");', "AZ104", "2^i"),
        ('d = calc_ReadDomain("{i | 0<=i<2^N}");', "AZ104", "2^N"),
        ('d = calc_ReadDomain("{i | N>=3, M>=1}");', "AZ105", "N>=3, M>=1"),
        ('f = calc_ReadFunction("(i -> 3^i)");', "AZ104", "3^i"),
        ('Split(prog, "s", "t", "{i | i<2^N, N>5}");', "AZ104", "2^N"),
    ],
)
def test_what_is_probably_meant_otherwise_is_warned_of(line: str, rule: str, text: str, tmp_path: Path) -> None:
    body = "local int t {i | 0<=i<N}; let t[i] = [i]; y[i] = t[i]; ."
    (tmp_path / "s.ab").write_text(f"affine s {{N | N>=1}} output int y {{i | 0<=i<N}}; {body}", encoding="utf-8")
    session = run_script(Source(str(tmp_path / "s.cs"), HEAD + line), folder=tmp_path)
    results = [finding for finding in session.findings if finding.rule.code == rule]
    assert [result.primary.span.text for result in results] == [text]
    assert results[0].primary.span.position[0] == 2
