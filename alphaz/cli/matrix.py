"""`alphaz matrix`: kernels of linear algebra, written as formulas."""

import json
from pathlib import Path

import click

from alphaz.cli.files import file_names, folder_names, new_files, read_source, write_file
from alphaz.cli.output import progress
from alphaz.cli.resource_limits import limited
from alphaz.cli.text_output import text_options, text_target
from alphaz.frontends.matrix.checked_kernel import MatrixKernel, check_kernel
from alphaz.frontends.matrix.equations import program_text
from alphaz.frontends.matrix.reading import read_kernel
from alphaz.lazy import lazy_import

EPILOG = """\b
Examples:
  alphaz matrix check gemver.m
  alphaz matrix show gemver.m -o gemver.ab
  alphaz matrix explain gemver.m
  alphaz matrix build gemver.m -o build

\b
A kernel file says what comes in and goes out, and the formulas:
  GEMVER
  in  A : row matrix, u1, v1, u2, v2, y, z : vector, a, b : scalar
  out B : row matrix, x, w : vector
  {
    B = A + u1*v1' + u2*v2'
    x = b*(B'*y) + z
    w = a*(B*x)
  }
docs/matrix.md has all of it."""


@click.group("matrix", epilog=EPILOG)
def command() -> None:
    """Kernels of linear algebra, from formulas to proved C."""


@command.command("check")
@click.argument("kernels", metavar="KERNEL.m...", shell_complete=file_names, nargs=-1, required=True)
@limited
def check(kernels: tuple[str, ...]) -> None:
    """Check names, types, shapes and storage formats."""
    for name in kernels:
        kernel = _kernel(name)
        program_text(kernel)
        click.echo(f"{name}: {kernel.name} over {', '.join(kernel.parameters) or 'scalars'}: no findings")


@command.command("show")
@click.argument("kernel", metavar="KERNEL.m", shell_complete=file_names)
@text_options("FILE.ab")
@limited
def show(kernel: str, output: str | None, prints: bool, force: bool) -> None:
    """Print the kernel as a program of equations."""
    target = text_target(output, prints, force)
    target.write_program(program_text(_kernel(kernel)))


@command.command("explain")
@click.argument("kernel", metavar="KERNEL.m", shell_complete=file_names)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@limited
def explain(kernel: str, form: str) -> None:
    """Print which operations may share loops, and the reasons where they may not.

    Each answer is the verifier's, about the dates of that nest with all other operations before or after it.
    """
    operations_of, fusion, carry_out = (
        lazy_import("alphaz.cli.tuning_problem").operations_of,
        lazy_import("alphaz.tuning.fusion"),
        lazy_import("alphaz.scripting.commands.apply_lines").carry_out,
    )
    _, operations, _ = operations_of(kernel)
    pairs = list(fusion.pairs(operations, carry_out))
    if form == "json":
        value = {"operations": list(operations.names), "pairs": [pair.document() for pair in pairs]}
        click.echo(json.dumps(value, indent=2, ensure_ascii=False))
        return
    click.echo(f"{operations.system}: {', '.join(operations.names)}")
    for pair in pairs:
        click.echo(str(pair))


@command.command("build")
@click.argument("kernel", metavar="KERNEL.m", shell_complete=file_names)
@click.option(
    "-o", "--output", metavar="DIR", shell_complete=folder_names, help="The output folder (that of the kernel)."
)
@click.option("--force", is_flag=True, help="Replace files that are there.")
@limited
@click.pass_context
def build(ctx: click.Context, kernel: str, output: str | None, force: bool) -> None:
    """Write the equations, a found and proved mapping, and its C."""
    kernel_ = _kernel(kernel)
    text = program_text(kernel_)
    program, script = new_files(output or str(Path(kernel).parent), kernel, (".ab", ".cs"), force)
    write_file(str(program), text)
    click.echo(f"wrote {program}")
    scheduling, tuning = (lazy_import(f"alphaz.cli.{name}") for name in ("proposal_script", "tuning_problem"))
    script_text = scheduling.script_of_kernel(kernel_, read_source(str(program), ".ab"), kernel)
    progress(f"looking for loops that operations of {kernel_.name} share")
    script_text = tuning.with_shared_loops(script_text, kernel, program)
    progress("")
    write_file(str(script), script_text)
    click.echo(f"wrote {script}")
    verbs = ctx.find_root().command
    run = verbs.get_command(ctx, "run") if isinstance(verbs, click.Group) else None
    assert run is not None
    ctx.invoke(run, script=str(script))


def _kernel(name: str) -> MatrixKernel:
    return check_kernel(read_kernel(read_source(name, ".m")))
