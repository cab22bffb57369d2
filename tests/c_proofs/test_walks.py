"""The walks of docs/proving-c.md: what they show is what comes out."""

import re
import shlex
from pathlib import Path

import pytest

from tests.c_proofs.asking import KERNELS, ROOT, peer
from tests.cli.asking import ask

SECTION = (
    (ROOT / "docs" / "proving-c.md").read_text(encoding="utf-8").partition("## Four walks")[2].partition("\n## ")[0]
)
TILED, MACHINE = re.findall(r"```c\n(.*?)```", SECTION, re.DOTALL)
# Each command with what it prints.
SHOWN = [
    each.strip().splitlines() for each in re.findall(r"^    \$ (.*?)(?=^    \$|^$)", SECTION, re.DOTALL | re.MULTILINE)
]
TEXTS = [
    peer("lu"),
    TILED,
    TILED.replace("MIN(tk + T, NI)", "MIN(tk + T, NK)"),
    MACHINE,
    MACHINE.replace("x[j + 3]", "x[j + 2]"),
    MACHINE.replace("        #pragma omp critical\n", ""),
    peer("gemm"),
    peer("gemm"),
]


def plain(line: str) -> str:
    """Without seconds, and without the values of a witness."""
    return re.sub(r"\(\d+\.\d+ s\)|(?<=\]) is .*", "", line).strip()


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_what_a_walk_shows_is_what_comes_out(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(SHOWN) == len(TEXTS)
    monkeypatch.chdir(tmp_path)
    command, *lines = SHOWN[number]
    _, *options, program, kernel = shlex.split(command)
    Path(program).write_text((KERNELS / Path(program).stem / program).read_text(encoding="utf-8"), encoding="utf-8")
    Path(kernel).write_text(TEXTS[number], encoding="utf-8")
    printed = [plain(line) for line in ask(*options, program, kernel).out.splitlines()]
    assert [line for line in map(plain, lines) if line not in printed] == []
