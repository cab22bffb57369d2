"""`alphaz fmt`: the one layout of programs, scripts and kernels."""

import difflib
import sys
from collections.abc import Iterator, Sequence

import click

from alphaz.cli.config import options
from alphaz.cli.files import InputError, file_names, sources, write_file
from alphaz.cli.output import CLEAN, FINDINGS, exit_code, show_error_findings
from alphaz.cli.resource_limits import READING, limited_to
from alphaz.cli.text_output import stdout_option
from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.diagnostics.message_words import count_text
from alphaz.ide.features.formatters import formatter_of

EPILOG = """\b
Examples:
  alphaz fmt sums.ab sums.cs
  alphaz fmt --check samples
  alphaz fmt --diff sums.ab
  alphaz fmt - --stdin-name sums.ab < sums.ab

\b
White space alone changes: comments, and line breaks inside of a statement, stay.
A folder means all its .ab, .alpha and .cs files (kernels, .m, are named one by one), and a
pattern the files that it matches.
A file with a syntax error is left as it is."""


@click.command("fmt", epilog=EPILOG)
@click.argument("targets", metavar="[FILE...]", shell_complete=file_names, nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; fail if a file would change, and name it.")
@click.option("--diff", is_flag=True, help="Write nothing; print the changes, and fail if there are any.")
@stdout_option("Write nothing; print the formatted text of one file.")
@click.option("--stdin-name", metavar="FILE", help="The name of the text on standard input (FILE is -), for its kind.")
@limited_to(READING)
@click.pass_context
def command(
    ctx: click.Context, targets: tuple[str, ...], check: bool, diff: bool, prints: bool, stdin_name: str | None
) -> None:
    """Lay out programs, command scripts and kernels in one way; files are rewritten in place."""
    if targets == ("-",):
        _format_standard_input(ctx, stdin_name)
    source_files = _sources(targets)
    if prints:
        _print_formatted(ctx, source_files, check or diff)
    changed, failed = 0, list[Diagnostic]()
    for source in source_files:
        try:
            text = _formatted(source)
        except Rejected as rejected:
            failed += rejected.diagnostics
            continue
        if text == source.text:
            continue
        changed += 1
        _show_change(source, text, check, diff)
    if failed:
        show_error_findings(failed)
    verb = "would be formatted" if check or diff else "formatted"
    click.echo(f"{count_text(changed, 'file')} {verb}, {len(source_files) - changed} left unchanged", err=True)
    ctx.exit(exit_code(failed) or (FINDINGS if changed and (check or diff) else CLEAN))


def _formatted(source: Source) -> str:
    format_ = formatter_of(source.name)
    assert format_ is not None
    return format_(source)


def _show_change(source: Source, text: str, check: bool, diff: bool) -> None:
    if diff:
        click.echo("".join(_difference(source, text)), nl=False)
    elif check:
        click.echo(f"would format {source.name}")
    else:
        write_file(source.name, text)
        click.echo(f"formatted {source.name}")


def _difference(source: Source, text: str) -> Iterator[str]:
    lines = difflib.unified_diff(
        source.text.splitlines(keepends=True), text.splitlines(keepends=True), source.name, f"{source.name} (formatted)"
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _format_standard_input(ctx: click.Context, name: str | None) -> None:
    """Prints the formatted text of standard input, and ends the verb. Raises click.UsageError without its kind."""
    if name is None or formatter_of(name) is None:
        raise click.UsageError("standard input needs --stdin-name FILE.ab, FILE.alpha, FILE.cs or FILE.m, for its kind")
    click.echo(_formatted(Source(name, sys.stdin.read())), nl=False)
    ctx.exit(CLEAN)


def _print_formatted(ctx: click.Context, sources: Sequence[Source], reports: bool) -> None:
    """Prints the formatted text of the one file, and ends the verb. Raises click.UsageError for several."""
    if reports or len(sources) != 1:
        raise click.UsageError("--stdout prints the text of one file, without --check and --diff")
    click.echo(_formatted(sources[0]), nl=False)
    ctx.exit(CLEAN)


def _sources(targets: tuple[str, ...]) -> list[Source]:
    """Returns the texts of the files, each once; without targets those of the project. Raises InputError."""
    settings = options()
    chosen = targets or (*settings.programs, *settings.scripts)
    if not chosen:
        raise click.UsageError("no file is given, and the project has no options `programs` and `scripts`")
    source_files = sources(chosen, (".ab", ".alpha", ".cs"), settings.exclude, (".m",))
    for source in source_files:
        if formatter_of(source.name) is None:
            raise InputError(f"{source.name} is no program (.ab, .alpha), script (.cs) or kernel (.m)")
    return source_files
