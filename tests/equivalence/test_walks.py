"""The tutorial of docs/proving-c.md: each command prints the lines that the page shows."""

import re
import shlex
from pathlib import Path

import pytest

from alphaz.run.compiler import find_compiler, has_feature
from tests.cli.command_line import ask
from tests.equivalence.asking import KERNELS, ROOT, peer
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SECTION = (ROOT / "docs" / "proving-c.md").read_text(encoding="utf-8").partition("## Tutorial")[2].partition("\n## ")[0]
TILED, MACHINE, VECTORS = re.findall(r"```c\n(.*?)```", SECTION, re.DOTALL)
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
    VECTORS,
    VECTORS.replace("(sum, 1)", "(sum, 0)"),
]
(DOT,) = re.findall(r"```alphabets\n(.*?)```", SECTION, re.DOTALL)


def plain(line: str) -> str:
    """Without seconds, and without the values of a witness."""
    return re.sub(r"\(\d+\.\d+ s\)|(?<=\]) is .*", "", line).strip()


@pytest.mark.parametrize("number", thinned(range(len(TEXTS)), 8))
def test_a_command_prints_the_lines_of_the_page(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(SHOWN) == len(TEXTS)
    monkeypatch.chdir(tmp_path)
    if "immintrin.h" in TEXTS[number] and not all(has_feature(find_compiler(), each) for each in ("avx2", "fma")):
        pytest.skip("it cannot be executed here")
    command, *lines = SHOWN[number]
    _, *options, program, kernel = shlex.split(command)
    sample = KERNELS / Path(program).stem / program
    Path(program).write_text(sample.read_text(encoding="utf-8") if sample.exists() else DOT, encoding="utf-8")
    Path(kernel).write_text(TEXTS[number], encoding="utf-8")
    printed = [plain(line) for line in ask(*options, program, kernel).out.splitlines()]
    assert [line for line in map(plain, lines) if line not in printed] == []
