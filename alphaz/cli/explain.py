"""`alphaz explain`: the documents of the rules."""

import click
from click.shell_completion import CompletionItem

from alphaz.cli.files import InputError
from alphaz.diagnostics.documents import codes, document
from alphaz.diagnostics.nearest import did_you_mean
from alphaz.diagnostics.rules import FORMER_CODES, RULES

EPILOG = """\b
Examples:
  alphaz explain AZ502
  alphaz explain causality
  alphaz explain --list"""


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(c, help=RULES[c].summary) for c in codes() if c.startswith(incomplete.upper())]


@click.command("explain", epilog=EPILOG)
@click.argument("code", required=False, shell_complete=_complete)
@click.option("--list", "all_rules", is_flag=True, help="List every rule in a line.")
def command(code: str | None, all_rules: bool) -> None:
    """Print the document of a rule, such as AZ502: purpose, consequence, a wrong and a right example, remedy."""
    if all_rules:
        for each in codes():
            click.echo(f"{each} {RULES[each].name:24} {RULES[each].summary}")
        return
    if code is None:
        raise click.UsageError("which rule? Give its code, such as AZ502, or --list")
    by_name = {rule.name: each for each, rule in RULES.items()}
    known = by_name.get(code.lower(), code.upper())
    if known in FORMER_CODES:
        click.echo(f"{known} is now {FORMER_CODES[known]}", err=True)
        known = FORMER_CODES[known]
    if known not in RULES:
        remedy = (
            did_you_mean(code.upper(), RULES) or did_you_mean(code, by_name) or "`alphaz explain --list` has them all"
        )
        raise InputError(f"there is no rule {code}: {remedy}")
    click.echo(document(known), nl=False)
