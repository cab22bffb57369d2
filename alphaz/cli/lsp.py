"""`alphaz lsp`: the language server."""

from dataclasses import replace
from os.path import abspath

import click

from alphaz.cli.config import options
from alphaz.cli.files import InputError
from alphaz.diagnostics.selection import RuleSelection
from alphaz.lazy import lazy_import

EPILOG = """\b
Examples:
  alphaz lsp

\b
An editor starts it, and talks to it over standard input and output (the language
server protocol). docs/editors.md describes this for VS Code, Neovim and Emacs."""


@click.command("lsp", epilog=EPILOG)
@click.option("--stdio", is_flag=True, help="Talk over standard input and output, which it always does.")
def command(stdio: bool) -> None:
    """Serve an editor: findings while typing, fixes, help, completion, definitions."""
    try:
        lazy_import("pygls")
    except ImportError:
        raise InputError("the language server needs pygls: pip install 'pygls>=2,<3'") from None
    lazy_import("alphaz.ide.lsp.serve").serve(_selection())


def _selection() -> RuleSelection:
    """Returns the selection of the project, with absolute patterns, as the names of an editor are."""
    selection = options().selection
    return replace(selection, by_file={abspath(pattern): codes for pattern, codes in selection.by_file.items()})
