"""The README is true: its program, its script, what is printed, and its five lines of Python."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SAMPLE = ROOT / "samples" / "prefix-sum"


def block(language: str) -> str:
    """The only fenced block of a language."""
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return str(text)


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def without_times(text: str) -> str:
    return re.sub(r"\(\d+\.\d\d s\)", "(- s)", text).strip()


def test_the_program_and_the_script_are_the_sample() -> None:
    assert block("alphabets") == (SAMPLE / "prefix-sum.ab").read_text(encoding="utf-8")
    assert block("script") == (SAMPLE / "wrong-parallel.cs").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_counterexample_is_printed_like_this() -> None:
    program = str(Path(sys.executable).parent / "alphaz")
    done = run(program, "verify", "wrong-parallel.cs", folder=SAMPLE)
    assert done.returncode == 1

    assert without_times(done.stdout) == without_times(block("text"))


@pytest.mark.slow
def test_the_five_lines_of_python() -> None:
    lines = block("python")
    assert len(lines.splitlines()) == 5
    done = run(sys.executable, "-W", "error", "-c", lines, folder=ROOT)
    assert done.stderr == ""
    (promised,) = re.findall(r"^prints `(.*)`\.$", README, re.MULTILINE)
    assert done.stdout.strip() == promised


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 110
