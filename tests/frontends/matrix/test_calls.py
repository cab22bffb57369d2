"""The calls of a kernel from C, Python and Fortran in docs/matrix.md, compiled and executed as the page says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import ask

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[3] / "docs" / "matrix.md"
FILES = {"c": "main.c", "python": "main.py", "fortran": "main.f90"}
_BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


@pytest.fixture(autouse=True)
def _built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel of the first section by columns, built, and the texts of the section in files."""
    text = PAGE.read_text(encoding="utf-8")
    kernel = next(block for language, block in _BLOCK.findall(text) if language == "matrix")
    monkeypatch.chdir(tmp_path)
    Path("residual.m").write_text(kernel.replace("A : matrix", "A : column matrix"), encoding="utf-8")
    assert ask("matrix", "build", "residual.m", "-o", "build").code == 0
    section = text[text.index("## Calls from C") : text.index("## How it is known")]
    for language, block in _BLOCK.findall(section):
        Path(FILES[language]).write_text(block, encoding="utf-8")


def _printed(*commands: str) -> list[float]:
    for command in commands:
        done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return [float(number) for number in re.findall(r"\d+\.?\d*", done.stdout)]


def test_c_calls_the_kernel() -> None:
    assert _printed("cc -fopenmp main.c build/RESIDUAL.c -lm", "./a.out") == [4, 5, 6.40312]


def test_python_calls_the_kernel() -> None:
    assert _printed(f"{sys.executable} main.py") == [4, 5, 6.40312424]


def test_fortran_calls_the_kernel() -> None:
    if shutil.which("gfortran") is None:
        pytest.skip("there is no gfortran")
    build = ("cc -fopenmp -c build/RESIDUAL.c", "gfortran -fopenmp main.f90 RESIDUAL.o -lm -o main")
    assert _printed(*build, "./main") == pytest.approx([4, 5, 41**0.5])
