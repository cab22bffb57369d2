"""`alphaz explain`, `alphaz help` and `alphaz commands`: the documents of rules, and of the commands of scripts.

The pages of commands are made from their declarations, which takes half a second of loading; they are cached until a
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
from alphaz.diagnostics.message_words import did_you_mean, nearest
from alphaz.diagnostics.rules import FORMER_CODES, RULES, codes, document
from alphaz.lazy import lazy_import

EXPLAIN = """\b
Examples:
  alphaz explain AZ502
  alphaz explain causality
  alphaz explain --list"""


def _complete_codes(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(c, help=RULES[c].summary) for c in codes() if c.startswith(incomplete.upper())]


@click.command("explain", epilog=EXPLAIN)
@click.argument("code", required=False, shell_complete=_complete_codes)
@click.option("--list", "all_rules", is_flag=True, help="List every rule in a line.")
def explain(code: str | None, all_rules: bool) -> None:
    """Print the document of a rule, such as AZ502: purpose, consequence, a wrong and a right example, remedy."""
    if all_rules:
        for code_ in codes():
            click.echo(f"{code_} {RULES[code_].name:24} {RULES[code_].summary}")
        return
    if code is None:
        raise click.UsageError("which rule? Give its code, such as AZ502, or --list")
    by_name = {rule.name: rule_code for rule_code, rule in RULES.items()}
    code_name = by_name.get(code.lower(), code.upper())
    if code_name in FORMER_CODES:
        click.echo(f"{code_name} is now {FORMER_CODES[code_name]}", err=True)
        code_name = FORMER_CODES[code_name]
    if code_name not in RULES:
        remedy = (
            did_you_mean(code.upper(), RULES) or did_you_mean(code, by_name) or "`alphaz explain --list` has them all"
        )
        raise InputError(f"there is no rule {code}: {remedy}")
    click.echo(document(code_name), nl=False)


HELP = """\b
Examples:
  alphaz help setMemoryMap"""


def _complete_commands(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in _pages() if name.lower().startswith(incomplete.lower())]


@click.command("help", epilog=HELP)
@click.argument("name", metavar="COMMAND", shell_complete=_complete_commands)
@click.pass_context
def help_(ctx: click.Context, name: str) -> None:
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
    entry = recall(place)
    if entry is not None:
        pages_: dict[str, str] = json.loads(entry)
        return pages_
    # Loaded here alone, since these load all the rest.
    catalogue, page = (lazy_import(f"alphaz.scripting.commands.{name}") for name in ("catalogue", "reference"))
    pages = {name: page.entry(catalogue.find(name)) for name in catalogue.names()}
    keep(place, json.dumps(pages).encode())
    return pages


def _state(folder: Path) -> Iterator[str]:
    """Yields the current sources below a folder."""
    for file in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if file.is_dir():
            yield from _state(Path(file.path))
        elif file.name.endswith(".py"):
            status = file.stat()
            yield f"{file.path} {status.st_size} {status.st_mtime_ns}"


COMMANDS = """\b
Examples:
  alphaz commands
  alphaz commands --markdown > docs/commands.md"""


@click.command("commands", epilog=COMMANDS)
@click.option("--markdown", is_flag=True, help="Print the whole reference page, as in docs/commands.md.")
def commands(markdown: bool) -> None:
    """List the commands that scripts can use, by topic."""
    page = lazy_import("alphaz.scripting.commands.reference")
    click.echo(page.page() if markdown else page.overview(), nl=False)
