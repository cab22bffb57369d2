"""Common output of the verbs: colours, findings, exit codes, progress."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

import click

from alphaz.cli.config import options
from alphaz.diagnostics import Diagnostic, Rejected
from alphaz.diagnostics.finding_groups import summarized
from alphaz.diagnostics.render.snippet import is_nowhere
from alphaz.diagnostics.render.text import to_text
from alphaz.diagnostics.rules import FILE
from alphaz.diagnostics.selection import RuleSelection

CLEAN, FINDINGS, INTERNAL = 0, 1, 2
# No findings, but mappings that are proved under named assumptions only.
ASSUMED = 3
# 128 and the number of the signal, as shells count.
INTERRUPTED = 130

_ALL = " (`alphaz verify --all` shows them)"

# Findings about the machine, the command line or alphaz itself.
_ABOUT_THE_USE = ("AZ802", "AZ807", "AZ808", "AZ839", "AZ838", "AZ901")


def exit_code(diagnostics: Iterable[Diagnostic], selection: RuleSelection | None = None) -> int:
    """Returns 0 without errors, 2 where one is an internal error or about the machine or the command line, else 1.

    The severities are those of the selection, else of the project.
    """
    errors = [diagnostic for diagnostic in (selection or _of_project()).applied(diagnostics) if diagnostic.is_error]
    if any(error.rule.code in _ABOUT_THE_USE or _is_of_the_command_line(error) for error in errors):
        return INTERNAL
    return FINDINGS if errors else CLEAN


def _is_of_the_command_line(diagnostic: Diagnostic) -> bool:
    """Returns True for a file that no script names: the command line named it."""
    return diagnostic.rule == FILE and is_nowhere(diagnostic.primary.span)


def wants_colour(stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Returns True if output is coloured: NO_COLOR and FORCE_COLOR (not empty) decide, in this order; else the
    terminal.
    """
    variables = os.environ if environment is None else environment
    if variables.get("NO_COLOR"):
        return False
    if variables.get("FORCE_COLOR"):
        return variables["FORCE_COLOR"] != "0"
    return stream.isatty() and variables.get("TERM") != "dumb"


def show_findings(
    diagnostics: Sequence[Diagnostic], every: bool = False, selection: RuleSelection | None = None
) -> None:
    """Prints findings on standard output, as the result of a verb: one for each root, or `every` one.

    Those of the selection are shown, else those of the project.
    """
    shown = (selection or _of_project()).applied(diagnostics)
    if shown:
        colour = wants_colour(sys.stdout)
        click.echo(to_text(shown if every else summarized(shown, _ALL), colour), color=colour)


def show_error_findings(diagnostics: Sequence[Diagnostic]) -> None:
    """Prints findings on standard error that prevented a result, one for each root."""
    colour = wants_colour(sys.stderr)
    shown = _of_project().applied(diagnostics)
    click.echo(to_text(summarized(shown, _ALL), colour), nl=False, err=True, color=colour)


def _of_project() -> RuleSelection:
    """Returns the selection of the project; of all findings where its options are wrong, which is a finding, too."""
    try:
        return options().selection
    except Rejected:
        return RuleSelection()


def progress(text: str) -> None:
    """Prints a line on a terminal that the next one replaces; the empty text removes it. Prints nothing elsewhere."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)


def bar(done: int, total: int, width: int = 30) -> str:
    """Returns ` [#####-----] 5 of 10`; nothing where there is nothing to be done."""
    if not total:
        return ""
    filled = width * done // total
    return f" [{'#' * filled}{'-' * (width - filled)}] {done} of {total}"
