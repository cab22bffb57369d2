"""docs/language.md is true: every program is checked, every command prints what the page shows.

A program begins with a comment that names its file. `pytest --update-golden` writes what commands print into the page.
"""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from alphaz.analysis.read import read_program
from alphaz.cli.main import cli
from alphaz.diagnostics import Source

PAGE = Path(__file__).parent.parent / "docs" / "language.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXT = PAGE.read_text(encoding="utf-8")
PROGRAMS = {re.match(r"// (\S+)\n", body)[1]: body for kind, body in FENCE.findall(TEXT) if kind == "alphabets"}  # type: ignore[index]
CONSOLES = [body for kind, body in FENCE.findall(TEXT) if kind == "console"]
REFUSED = set(re.findall(r"^\$ alphaz check (\S+)$", TEXT, re.MULTILINE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files of the page."""
    place = tmp_path_factory.mktemp("page")
    for name, text in PROGRAMS.items():
        (place / name).write_text(text, encoding="utf-8")
    (header,) = (body for kind, body in FENCE.findall(TEXT) if kind == "c")
    (place / "external_functions.h").write_text(header, encoding="utf-8")
    return place


def printed(console: str, folder: Path) -> str:
    """The console block as it would be: commands, and what each prints. What stands in front of `alphaz` is bash's."""
    results = []
    for command in re.findall(r"^\$ (.*)$", console, re.MULTILINE):
        shell, verb, arguments = command.rpartition("alphaz ") if "alphaz " in command else (command, "", "")
        before = ["bash", "-c", shell.rstrip().removesuffix("|") or "true"]
        value = subprocess.run(before, cwd=folder, capture_output=True, text=True, timeout=60, check=True).stdout
        output = CliRunner().invoke(cli, shlex.split(arguments), input=value).output if verb else value
        results.append(f"$ {command}\n{output}")
    return "".join(results)


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - REFUSED))
def test_the_programs_have_no_findings(name: str) -> None:
    assert read_program(Source(name, PROGRAMS[name])).warnings == ()


@pytest.mark.parametrize("at", range(len(CONSOLES)))
def test_commands_print_what_the_page_shows(
    at: int, folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    text = printed(CONSOLES[at], folder)
    if request.config.getoption("--update-golden"):
        now = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(now.replace(f"```console\n{CONSOLES[at]}```", f"```console\n{text}```"), encoding="utf-8")
        return
    assert CONSOLES[at] == text


def test_the_contents_lead_somewhere() -> None:
    headings = re.findall(r"^## (.*)$", TEXT, re.MULTILINE)
    assert re.findall(r"^- \[(.*)\]\(#", TEXT, re.MULTILINE) == headings


def test_the_page_says_everything() -> None:
    """Each word of the language stands in some program or table of the page."""
    for word in (
        "case",
        "if",
        "reduce",
        "val(",
        "use {",
        "while",
        "xor",
        "nand",
        "||",
        "identity",
        "given",
        "2i",
        "^min",
    ):
        assert word in TEXT
