"""`alphaz help`: documentation of one command of scripts.

The pages are made from the declarations of all commands, which takes half a second of loading; they are cached until a
file of alphaz changes.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from alphaz.cache import cache_name, keep, recall
from alphaz.cli.files import InputError
from alphaz.diagnostics.nearest import did_you_mean, nearest
from alphaz.lazy import lazy_import

EPILOG = """\b
Examples:
  alphaz help setMemoryMap"""


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in _pages() if name.lower().startswith(incomplete.lower())]


@click.command("help", epilog=EPILOG)
@click.argument("name", metavar="COMMAND", shell_complete=_complete)
@click.pass_context
def command(ctx: click.Context, name: str) -> None:
    """Explain a command of scripts, such as setMemoryMap: its forms, effect and checks, with an example."""
    pages = _pages()
    near = name if name in pages else nearest(name, pages)
    if near is None or near.lower() != name.lower():
        remedy = did_you_mean(name, pages) or "`alphaz commands` lists them"
        group = ctx.parent.command if ctx.parent is not None else None
        if isinstance(group, click.Group) and name in group.list_commands(ctx):
            remedy = f"`alphaz {name} --help` explains the verb"
        raise InputError(f"scripts have no command `{name}`: {remedy}")
    click.echo(pages[near], nl=False)


def _pages() -> Mapping[str, str]:
    """Returns the page of each command of scripts, including aliases."""
    place = cache_name("help", _state(Path(__file__).parents[1]))
    kept = recall(place)
    if kept is not None:
        found: dict[str, str] = json.loads(kept)
        return found
    # Loaded here alone, since these load all the rest.
    catalogue, page = (lazy_import(f"alphaz.scripting.commands.{name}") for name in ("catalogue", "page"))
    made = {name: page.entry(catalogue.find(name)) for name in catalogue.names()}
    keep(place, json.dumps(made).encode())
    return made


def _state(folder: Path) -> Iterator[str]:
    """Yields the current sources below a folder."""
    for each in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if each.is_dir():
            yield from _state(Path(each.path))
        elif each.name.endswith(".py"):
            status = each.stat()
            yield f"{each.path} {status.st_size} {status.st_mtime_ns}"
