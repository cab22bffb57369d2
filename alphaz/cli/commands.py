"""`alphaz commands`: the commands of scripts."""

import click

from alphaz.scripting.commands.page import overview, page

EPILOG = """\b
Examples:
  alphaz commands
  alphaz commands --markdown > docs/commands.md"""


@click.command("commands", epilog=EPILOG)
@click.option("--markdown", is_flag=True, help="Print the whole reference page, as in docs/commands.md.")
def command(markdown: bool) -> None:
    """List the commands that scripts can use, by topic."""
    click.echo(page() if markdown else overview(), nl=False)
