"""`alphaz complexity`: the numbers of values and operations of each equation, as polynomials in the parameters."""

import click

from alphaz.analysis.facts.complexity import work_text
from alphaz.analysis.read import read_program
from alphaz.cli.deadline import READING, limited_to
from alphaz.cli.files import file_names, read_source
from alphaz.cli.show import named_system

EPILOG = """\b
Examples:
  alphaz complexity mcm.ab
  alphaz complexity mcm.ab --system MCM"""


@click.command("complexity", epilog=EPILOG)
@click.argument("program", metavar="FILE.ab", shell_complete=file_names)
@click.option("--system", metavar="NAME", help="Only this system.")
@limited_to(READING)
def command(program: str, system: str | None) -> None:
    """Count the operations of each equation, as a polynomial in the parameters."""
    checked = read_program(read_source(program, ".ab"))
    chosen = None if system is None else named_system(checked.program, system)
    for one in checked.program.systems:
        if chosen in (None, one.name):
            click.echo(work_text(checked.facts, one), nl=False)
