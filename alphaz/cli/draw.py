"""`alphaz draw`: a picture of a program or of its mapping."""

import sys
from pathlib import Path

import click

from alphaz.analysis.checks.check import accept
from alphaz.analysis.read import examine_program
from alphaz.cli.figure_files import picture_file, picture_name, write_picture
from alphaz.cli.files import InputError, file_names, read_source
from alphaz.cli.inputs import Parameters, named_system, parameter_sets
from alphaz.cli.output import FINDINGS, progress, show_error_findings
from alphaz.cli.resource_limits import limited
from alphaz.cli.text_output import STDOUT, check_one_target, stdout_option
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.figures.drawing.figures import KINDS, best, figure
from alphaz.figures.trace.trace_data import Trace
from alphaz.lazy import lazy_import
from alphaz.mapping.design import Design
from alphaz.mapping.input_footprint import uncalled_systems
from alphaz.scripting.interpreter.run import run_script
from alphaz.scripting.interpreter.verification_cache import VerificationCache, unverified

EPILOG = (
    """\b
Examples:
  alphaz draw mcm.ab
  alphaz draw mcm.ab -o domain.svg
  alphaz draw wrong-sharing.cs -o witness.svg
  alphaz draw jacobi-1d.cs --kind lifetimes -p N=6,T=3 -o cells.png
  alphaz draw mm.cs --kind dates --variable Acc_C --axes k,j --at i=1 > dates.svg

\b
Kinds:
"""
    + "\n".join(f"  {kind:10} {text}" for kind, text in KINDS.items())
    + """

\b
Without --kind: the counterexample of a refuted mapping (also of a rejected program),
the tiles or the dates of a proved one, the domain of a program.
Without -p: small parameters with points to show (for a refuted mapping those of the
counterexample, or slightly larger ones). At most 300 operations are drawn. The verdict is for all parameters."""
)


@click.command("draw", epilog=EPILOG)
@click.argument("file", metavar="FILE.cs|FILE.ab", shell_complete=file_names)
@click.option("--kind", type=click.Choice(list(KINDS)), help="The kind of picture.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=file_names,
    help="The output file, .svg or .png (on a terminal FILE-SYSTEM-KIND.svg in the working folder, else standard "
    "output).",
)
@stdout_option("Print SVG on standard output, also on a terminal (-o -).")
@click.option("-p", "--parameters", "assignments", metavar="N=5[,M=3]", multiple=True, help="Values of the parameters.")
@click.option("--system", metavar="NAME", help="The system, where there are several.")
@click.option(
    "--variable", "variables", metavar="NAME", multiple=True, help="Only this variable (lifetimes: memory space)."
)
@click.option("--axes", metavar="i,j", default="", help="The indices drawn across and down, where there are more.")
@click.option("--at", "held", metavar="k=2", multiple=True, help="Hold an index at a value.")
@limited
def command(
    file: str,
    kind: str | None,
    output: str | None,
    prints: bool,
    assignments: tuple[str, ...],
    system: str | None,
    variables: tuple[str, ...],
    axes: str,
    held: tuple[str, ...],
) -> None:
    """Draw a mapping, or the domains of a program, at small parameters."""
    check_one_target(output, prints)
    named = None if output in (None, STDOUT) else picture_file(str(output))
    is_printed = named is None and (prints or output == STDOUT or not _is_on_terminal())
    values = _values(assignments)
    across = tuple(part.strip() for part in axes.split(",") if part.strip())

    def show(shown: Trace) -> None:
        chosen = kind or best(shown)
        drawing = figure(shown, chosen, variables, across, _values(held, "--at"))
        if is_printed:
            click.echo(drawing.svg, nl=False)
            return
        target = named or Path(picture_name(file, shown.system, chosen))
        write_picture(target, drawing)
        click.echo(f"wrote {target}: {drawing.title} ({shown.size})", err=True)

    if Path(file).suffix in (".ab", ".alpha"):
        examined = examine_program(read_source(file, ".ab"))
        wrong = lazy_import("alphaz.figures.trace.rejected_program").rejected(examined)
        if wrong is not None and kind in (None, "witness"):
            # The mistake is drawn, and reported.
            show(wrong)
        design = Design(accept(examined))
        name = named_system(design.program, system)
    else:
        design, name = _script(file, system)
    shown = lazy_import("alphaz.figures.trace.tracing").trace(design, name, values or None)
    if kind == "blocks":
        shown = lazy_import("alphaz.equivalence.driver.generated_cuda").with_gpu_blocks(shown, design)
    show(shown)


def _is_on_terminal() -> bool:
    return sys.stdout.isatty()


def _values(options: tuple[str, ...], name: str = "-p") -> Parameters:
    sets = parameter_sets(options, name)
    if len(sets) > 1:
        raise InputError("a name is given two values: a figure takes one for each")
    return sets[0]


def _script(file: str, system_name: str | None) -> tuple[Design, str]:
    """Returns, of several systems with a mapping, the last one that no other system calls."""
    source = read_source(file, ".cs")
    progress(f"reading {file}")
    session = run_script(source, Path(file).parent, verifications=VerificationCache(verify=unverified))
    progress("")
    errors = [finding for finding in session.findings if finding.is_error]
    if errors:
        show_error_findings(errors)
        sys.exit(FINDINGS)
    if not session.designs:
        raise InputError(f'{file} reads no program: a script begins with prog = ReadAlphabets("...")')
    design = session.designs[-1]
    names = design.mapped_systems or tuple(system.name for system in design.program.systems)
    if system_name is not None:
        if system_name not in names:
            remedy = did_you_mean(system_name, names) or f"there is one of {listing(names)}"
            raise InputError(f"there is no mapping of a system `{system_name}`: {remedy}")
        return design, system_name
    name = uncalled_systems(design.program, names)[-1]
    if len(names) > 1:
        click.echo(f"drawing {name}; --system chooses among {listing(names)}", err=True)
    return design, name
