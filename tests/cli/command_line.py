"""Asking the command line, in this process."""

from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from alphaz.cli.main import cli
from alphaz.scripting.commands.reference import EXAMPLE_PROGRAM

RIGHT = """prog = ReadAlphabets("sums.ab");
setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
generateScheduledCode(prog, "sums");
generateVerificationCode(prog, "sums");
print("done");
"""
WRONG = RIGHT.replace("B, C", "C").replace(
    "generateScheduledCode", 'setSpaceTimeMap(prog, "sums", "B", "(i->-i)");\ngenerateScheduledCode'
)


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: str
    err: str


def ask(*arguments: object, stdin: str | bytes | None = None) -> Answer:
    """Returns the output of `alphaz <arguments>`; an exception fails the test."""
    result = CliRunner(catch_exceptions=False).invoke(cli, [str(argument) for argument in arguments], input=stdin)
    return Answer(result.exit_code, result.stdout, result.stderr)


def files(folder: Path) -> None:
    """sums.ab, right.cs, wrong.cs."""
    (folder / "sums.ab").write_text(EXAMPLE_PROGRAM, encoding="utf-8")
    (folder / "right.cs").write_text(RIGHT, encoding="utf-8")
    (folder / "wrong.cs").write_text(WRONG, encoding="utf-8")
