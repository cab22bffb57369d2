"""`alphaz show` and `alphaz complexity`: programs and certificates as text, and the numbers of operations."""

from pathlib import Path

import click

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import alpha, ashow, show
from alphaz.cli.files import file_names, read_source
from alphaz.cli.inputs import named_system
from alphaz.cli.resource_limits import READING, limited_to
from alphaz.cli.text_output import text_options, text_target
from alphaz.lazy import lazy_import

EPILOG = """\b
Examples:
  alphaz show mcm.ab
  alphaz show mcm.ab --point-free --system MCM
  alphaz show mcm.ab --notation alpha -o mcm.alpha
  alphaz show mcm.alpha -o mcm.ab
  alphaz show mcm.json"""


@click.command("show", epilog=EPILOG)
@click.argument("program", metavar="FILE.ab|FILE.json", shell_complete=file_names)
@click.option("--array/--point-free", "array", default=True, help="Indices after variables, or functions before them.")
@click.option(
    "--notation",
    type=click.Choice(["alphabets", "alpha"]),
    default="alphabets",
    show_default=True,
    help="The language: that of .ab files, or that of the successor's .alpha files.",
)
@click.option("--system", metavar="NAME", help="Only this system.")
@text_options("FILE")
@limited_to(READING)
def command(
    program: str, array: bool, notation: str, system: str | None, output: str | None, prints: bool, force: bool
) -> None:
    """Print a program in array or point-free form, or in the language of .alpha files.

    Of a certificate (.json): print its inventory next to the lines of the equations, the mapping and the C.
    """
    target = text_target(output, prints, force)
    if Path(program).suffix == ".json":
        lines = lazy_import("alphaz.cli.certificate_files").inventories(program, system)
        target.write("".join(f"{line}\n" for line in lines))
        return
    checked = read_program(read_source(program, ".ab"))
    chosen = None if system is None else named_system(checked.program, system)
    if notation == "alpha":
        target.write(alpha(checked.program, chosen))
        return
    text = ashow(checked.program, chosen) if array else show(checked.program, chosen)
    target.write_program(text)


COMPLEXITY = """\b
Examples:
  alphaz complexity mcm.ab
  alphaz complexity mcm.ab --system MCM"""


@click.command("complexity", epilog=COMPLEXITY)
@click.argument("program", metavar="FILE.ab", shell_complete=file_names)
@click.option("--system", metavar="NAME", help="Only this system.")
@limited_to(READING)
def complexity(program: str, system: str | None) -> None:
    """Count the operations of each equation, as a polynomial in the parameters."""
    checked = read_program(read_source(program, ".ab"))
    chosen = None if system is None else named_system(checked.program, system)
    for one in checked.program.systems:
        if chosen in (None, one.name):
            click.echo(lazy_import("alphaz.analysis.facts.work_and_traffic").work_text(checked.facts, one), nl=False)
