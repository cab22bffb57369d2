"""`alphaz fmt`."""

from pathlib import Path

import pytest

from tests.cli.command_line import ask

UNTIDY, TIDY = "f( 1,2 );\n\n\ng();", "f(1, 2);\n\ng();\n"


@pytest.fixture
def script(folder: Path) -> Path:
    (folder / "untidy.cs").write_text(UNTIDY)
    return folder / "untidy.cs"


def test_files_are_rewritten(script: Path) -> None:
    assert ask("fmt", "untidy.cs").out == "formatted untidy.cs\n"
    assert script.read_text() == TIDY
    again = ask("fmt", "untidy.cs")
    assert (again.code, again.err) == (0, "0 files formatted, 1 left unchanged\n")


@pytest.mark.parametrize(("option", "shown"), [("--check", "would format untidy.cs\n"), ("--diff", "--- untidy.cs\n")])
def test_check_and_diff_write_nothing(script: Path, option: str, shown: str) -> None:
    answer = ask("fmt", option, "untidy.cs")
    assert (answer.code, answer.out[: len(shown)]) == (1, shown)
    assert script.read_text() == UNTIDY
    ask("fmt", "untidy.cs")
    assert ask("fmt", option, "untidy.cs").code == 0


def test_folders_and_errors(script: Path, folder: Path) -> None:
    (folder / "broken.ab").write_text("affine {")
    answer = ask("fmt", ".")
    assert answer.code == 1
    assert "error[AZ101]" in answer.err
    assert (script.read_text(), (folder / "broken.ab").read_text()) == (TIDY, "affine {")


def test_wrong_targets(folder: Path) -> None:
    (folder / "notes.txt").write_text("")
    assert ask("fmt", "notes.txt").code == 2
    assert ask("fmt", "none.ab").code == 2
    assert ask("fmt").code == 2
    assert ask("fmt", "-").code == 2
