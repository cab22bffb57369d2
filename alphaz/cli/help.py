"""`alphaz help`: one command of scripts, explained."""

import click
from click.shell_completion import CompletionItem

from alphaz.cli.files import InputError
from alphaz.commands.catalogue import find, names
from alphaz.commands.page import entry
from alphaz.diagnostics.nearest import did_you_mean, nearest

EPILOG = """\b
Examples:
  alphaz help setMemoryMap"""


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names() if name.lower().startswith(incomplete.lower())]


@click.command("help", epilog=EPILOG)
@click.argument("name", metavar="COMMAND", shell_complete=_complete)
def command(name: str) -> None:
    """Explain a command of scripts, such as setMemoryMap: its forms, what it does, what it checks, an example."""
    found = find(name)
    if found is None:
        near = nearest(name, names())
        found = find(near) if near is not None and near.lower() == name.lower() else None
    if found is None:
        remedy = did_you_mean(name, names()) or "`alphaz commands` lists them"
        raise InputError(f"scripts have no command `{name}`: {remedy}")
    click.echo(entry(found), nl=False)
