"""`alphaz repl`: scripts one statement at a time."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from alphaz.cli.files import file_names, folder_names, read_source
from alphaz.cli.output import CLEAN, FINDINGS, progress, show_findings, wants_colour
from alphaz.diagnostics import Rejected
from alphaz.ide.console.console import Console, Reply
from alphaz.ide.console.terminal import prompt
from alphaz.ide.console.words import say
from alphaz.ide.features.cursor import parse_prefix
from alphaz.scripting.commands.python_verdict import report_of
from alphaz.scripting.interpreter.verification_cache import VerificationCache
from alphaz.version import VERSION

EPILOG = """\b
Examples:
  alphaz repl
  alphaz repl mcm.cs
  echo 'print(calc_Inverse("(i,j -> i+j,j)"))' | alphaz repl

\b
Tab completes commands, names of the program and files; the line below the prompt
says how the command is called. `:help` lists the words of the console, among them
`:undo`, `:state` and `:save`. Without a terminal each statement is read from
standard input, and the exit code is 1 where one went wrong."""


@click.command("repl", epilog=EPILOG)
@click.argument("script", metavar="[SCRIPT.cs]", shell_complete=file_names, required=False)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    shell_complete=folder_names,
    help="The output folder (the working directory).",
)
@click.pass_context
def command(ctx: click.Context, script: str | None, output: str | None) -> None:
    """Enter the statements of a script one by one; each runs immediately, and can be undone.

    A given script runs first, as one entry; relative file names then start in its folder.
    """
    source = None if script is None else read_source(script, ".cs")
    folder = Path() if script is None else Path(script).parent
    verifications = VerificationCache(lambda system: progress(f"verifying {system}"), verify=report_of)
    console = Console(folder, None if output is None else Path(output), verifications)
    good = source is None or _show(console.read(Path(source.name), source.text))
    for entry in _typed_entries(console) if sys.stdin.isatty() else _piped_lines():
        if entry.strip() in (":quit", "quit", "exit"):
            break
        good = _show(_answer(console, entry)) and good
    ctx.exit(CLEAN if good or sys.stdin.isatty() else FINDINGS)


def _answer(console: Console, entry: str) -> Reply:
    try:
        return say(console, entry) if entry.lstrip().startswith(":") else console.enter(entry)
    except Rejected as rejected:
        return Reply(findings=rejected.diagnostics)


def _show(answer: Reply) -> bool:
    progress("")
    click.echo(answer.text, nl=False)
    show_findings(answer.findings)
    return answer.is_good


def _typed_entries(console: Console) -> Iterator[str]:
    click.echo(f"alphaz {VERSION}; :help explains, :quit leaves")
    session = prompt(console, wants_colour(sys.stdout))
    while True:
        try:
            yield session.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _piped_lines() -> Iterator[str]:
    """Yields the lines of standard input, joined where a parenthesis or a quote is open."""
    entry = ""
    for line in sys.stdin:
        entry += line
        if parse_prefix(entry).is_whole or entry.lstrip().startswith(":"):
            yield entry
            entry = ""
    if entry:
        yield entry
