"""The tutorial of docs/cuda.md: each command prints the lines that the page shows."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.command_line import ask
from tests.equivalence.asking import ROOT
from tests.equivalence.test_walks import plain
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SECTION = (ROOT / "docs" / "cuda.md").read_text(encoding="utf-8").partition("## Tutorial")[2].partition("\n## ")[0]
PLAIN, MACHINE = re.findall(r"```cuda\n(.*?)```", SECTION, re.DOTALL)
(EQUATIONS,) = re.findall(r"```alphabets\n(.*?)```", SECTION, re.DOTALL)
SHOWN = [
    each.strip().splitlines() for each in re.findall(r"^    \$ (.*?)(?=^    \$|^$)", SECTION, re.DOTALL | re.MULTILINE)
]
TEXTS = [
    PLAIN,
    PLAIN,
    MACHINE,
    MACHINE.replace("    __syncthreads();\n", "\n"),
    MACHINE.replace("if (t == TILE - 1 && i + 1 < n)", "if (t == TILE - 1)"),
    MACHINE.replace("0.5 * tile[t + 1]", "0.25 * tile[t + 1]"),
]


@pytest.mark.parametrize("number", thinned(range(len(TEXTS)), 4))
def test_a_command_prints_the_lines_of_the_page(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(SHOWN) == len(TEXTS)
    monkeypatch.chdir(tmp_path)
    command, *lines = SHOWN[number]
    _, *options, program, kernel = shlex.split(command)
    Path(program).write_text(EQUATIONS, encoding="utf-8")
    Path(kernel).write_text(TEXTS[number], encoding="utf-8")
    printed = [plain(line) for line in ask(*options, program, kernel).out.splitlines()]
    assert [line for line in map(plain, lines) if line not in printed] == []
