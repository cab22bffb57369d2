"""`alphaz from-c`: a C function as equations, with a script that keeps its order and memory; both are proved."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from alphaz.analysis.texts.show import domain_shown
from alphaz.cli.files import file_names, folder_names, new_files, read_file, write_file
from alphaz.cli.output import CLEAN, FINDINGS, exit_code, progress, show_findings
from alphaz.cli.resource_limits import limited
from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.diagnostics.render.json import to_json
from alphaz.equivalence.driver.equations_from_c import Imported, ImportedOrder, from_c
from alphaz.equivalence.driver.preprocessing import with_plain_lines
from alphaz.scripting.interpreter.run import Session, run_script

EPILOG = """\b
Examples:
  alphaz from-c gemm.c
  alphaz from-c gemm.c -o out
  alphaz from-c --function kernel --assume 'T>=0' jacobi.c -o .
  alphaz from-c --shape A=N,M --shape x=M flat.c -o .

\b
Exact dataflow says which value each read finds; sums become reductions. The
equations are proved to be what the C computes (exit code 1 where they are not,
with the reason), and the mapping, which is the order and the memory of the C,
to be legal. Nothing is assumed about parameters but that arrays have elements;
those for which the C has no meaning are left out.
\b
The JSON document is that of `check`, with one value more:
  "imports": [{"source", "function", "system", "verdict", "seconds",
    "obligations", "left_out", "program", "script"}]"""


@click.command("from-c", epilog=EPILOG)
@click.argument("kernel", metavar="KERNEL.c", shell_complete=file_names)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    shell_complete=folder_names,
    help="The output folder of KERNEL.ab and KERNEL.cs (both are printed).",
)
@click.option("--force", is_flag=True, help="Replace existing files.")
@click.option("--function", metavar="NAME", help="The C function (the only one that is not static).")
@click.option("--assume", "assumed", metavar="'T>=0'", multiple=True, help="A constraint on the parameters.")
@click.option(
    "--shape",
    "shapes",
    metavar="A=N,M",
    multiple=True,
    help="The extents of a pointer without extents (those of its accesses).",
)
@click.option("--serial", is_flag=True, help="Keep sums that start from a value other than zero as recurrences.")
@click.option("--no-execution", is_flag=True, help="Do not execute the C: an unproved result is undecided.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@limited
def command(
    kernel: str,
    output: str | None,
    force: bool,
    function: str | None,
    assumed: tuple[str, ...],
    shapes: tuple[str, ...],
    serial: bool,
    no_execution: bool,
    form: str,
) -> None:
    """Write a C function as equations with its mapping, and prove them against it."""
    source = with_plain_lines(read_file(kernel))
    program, script = _checked_names(kernel, output, force)
    extents_of = dict(_shape(shape) for shape in shapes)
    order = ImportedOrder(function, assumed=assumed, shapes=extents_of, executes=not no_execution, is_serial=serial)
    imported_c = _import_c(source, order)
    session = _run_written_script(imported_c, program, script)
    if session is not None and not session.is_clean and not serial:
        # A sum may be in the way of its own start.
        imported_c = _import_c(source, replace(order, is_serial=True))
        session = _run_written_script(imported_c, program, script)
    findings: Sequence[Diagnostic] = imported_c.verdict.findings
    if session is not None:
        findings = (*findings, *(finding for finding in _session_findings(session) if finding.is_error))
    if form == "json":
        click.echo(_document(source, imported_c, findings), nl=False)
    else:
        _show(imported_c, program, script, session)
        show_findings(findings)
    is_clean = imported_c.is_proved and exit_code(findings) == CLEAN
    click.get_current_context().exit(CLEAN if is_clean else FINDINGS)


def _import_c(source: Source, order: ImportedOrder) -> Imported:
    """Returns the import. Raises Rejected for C that is undefined, AssertionError for equations that an execution
    refutes: an error in alphaz."""
    imported_c = from_c(source, order, lambda text: progress(f"{source.name}: {text}"))
    progress("")
    if imported_c.verdict.verdict == "refuted":
        if imported_c.verdict.tried is None:
            raise Rejected(*imported_c.verdict.findings)
        show_findings(imported_c.verdict.findings)
        raise AssertionError(f"the equations of `{imported_c.function}` differ from its execution: nothing is written")
    return imported_c


def _run_written_script(imported_c: Imported, program: str | None, script: str | None) -> Session | None:
    """Runs the script from its file and returns its session."""
    if program is None or script is None:
        return None
    write_file(program, imported_c.program)
    write_file(script, imported_c.script)
    return run_script(Source(script, imported_c.script), Path(script).parent)


def _show(imported_c: Imported, program: str | None, script: str | None, session: Session | None) -> None:
    if program is None:
        click.echo(f"{imported_c.program}\n{imported_c.script}", nl=False)
        click.echo(_verdict(imported_c), err=True)
        return
    for path in (program, script):
        click.echo(f"wrote {path}")
    click.echo(_verdict(imported_c))
    for verdict in session.design_verdicts if session is not None else ():
        click.echo(f"the mapping of {imported_c.system}: {'proved' if verdict.first.is_proved else 'not proved'}")


def _verdict(imported_c: Imported) -> str:
    lines = [f"{imported_c.verdict} ({imported_c.seconds:.2f} s)"]
    if imported_c.left_out is not None:
        lines.append(f"  left out, as the C has no meaning there: {domain_shown(imported_c.left_out)}")
    lines += [
        f"  `{name}` has {' x '.join(map(str, shape))} elements, by its accesses (--shape sets other extents)"
        for name, shape in imported_c.shapes.items()
    ]
    lines += [f"  taken for granted: {note}" for note in imported_c.verdict.assumed if imported_c.is_proved]
    lines += [f"  {imported_c.verdict.tried}"] if imported_c.is_proved and imported_c.verdict.tried is not None else []
    return "\n".join(lines)


def _session_findings(session: Session) -> Sequence[Diagnostic]:
    return (*session.findings, *(finding for verdict in session.design_verdicts for finding in verdict.first.findings))


def _document(source: Source, imported_c: Imported, findings: Sequence[Diagnostic]) -> str:
    value = {
        "source": source.name,
        "function": imported_c.function,
        "system": imported_c.system,
        "verdict": imported_c.verdict.verdict,
        "seconds": round(imported_c.seconds, 3),
        "obligations": len(imported_c.verdict.obligations),
        "left_out": None if imported_c.left_out is None else domain_shown(imported_c.left_out),
        "program": imported_c.program,
        "script": imported_c.script,
    }
    return to_json(findings, {"imports": [value]})


def _checked_names(kernel: str, output: str | None, force: bool) -> tuple[str | None, str | None]:
    if output is None:
        return None, None
    program, script = map(str, new_files(output, kernel, (".ab", ".cs"), force))
    return program, script


def _shape(option: str) -> tuple[str, tuple[str, ...]]:
    name, _, extents = (part.strip() for part in option.partition("="))
    if not name:
        raise click.BadParameter(f"`{option}` is not of the form NAME=N,M", param_hint="'--shape'")
    return name, tuple(extent_.strip() for extent_ in extents.split(",") if extent_.strip())
