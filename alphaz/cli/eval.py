"""`alphaz eval`: evaluates a program by the interpreter."""

import sys
from collections.abc import Mapping
from pathlib import Path

import click
import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.cli.files import InputError, file_names, read_source
from alphaz.cli.inputs import functions_folder, functions_option, named_system, parameter_sets, variable_files
from alphaz.cli.output import progress
from alphaz.cli.resource_limits import limited
from alphaz.diagnostics import Source
from alphaz.diagnostics.message_words import listing
from alphaz.model.domain_mask import domain_mask
from alphaz.model.input_values import checked_parameters, variable_box
from alphaz.model.interpreter import evaluate
from alphaz.model.program import System, Variable
from alphaz.run.compiler import find_compiler
from alphaz.run.data import parse_values, read_array, value_text, write_array
from alphaz.run.externals import external_functions

EPILOG = """\b
Examples:
  alphaz eval mcm.ab -p N=4 --in A=sizes.txt
  echo 30 35 15 5 10 | alphaz eval mcm.ab -p N=4 --in A=-
  alphaz eval blur.ab -p N=512 --in x=photo.npy --out y=blurred.npy

\b
A file of values has one for each point of the domain of the variable, in
lexicographic order, separated by white space or commas (CSV); values of type
char may be letters (ACGT). Or it is a NumPy array (.npy) over the bounding box
of the domain."""


@click.command("eval", epilog=EPILOG)
@click.argument("program", metavar="FILE.ab", shell_complete=file_names)
@click.option("-p", "--parameters", "assignments", metavar="N=5[,M=3]", multiple=True, help="Values of the parameters.")
@click.option("--in", "inputs", metavar="A=FILE", multiple=True, help="Where the values of an input are; - is stdin.")
@click.option("--out", "outputs", metavar="B=FILE", multiple=True, help="Write an output there; do not print it.")
@functions_option
@click.option("--system", metavar="NAME", help="Which system, where there are several.")
@limited
@click.pass_context
def command(
    ctx: click.Context,
    program: str,
    assignments: tuple[str, ...],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    functions: str | None,
    system: str | None,
) -> None:
    """Evaluate a system of a program and print its outputs, by the reference interpreter."""
    checked = read_program(read_source(program, ".ab"))
    chosen = checked.program.system(named_system(checked.program, system))
    sets = parameter_sets(assignments)
    if len(sets) > 1:
        raise InputError("a parameter is given twice: `eval` takes one value for each")
    missing = [parameter for parameter in chosen.parameters if parameter not in sets[0]]
    if missing:
        example = ",".join(f"{parameter}=5" for parameter in missing)
        raise InputError(f"`{chosen.name}` needs a value for {listing(missing)}: give -p {example}")
    parameters = checked_parameters(chosen, sets[0])
    arrays = _arrays(chosen, _input_files(chosen, inputs), parameters)
    paths = variable_files(
        f"`{chosen.name}`", "output", [variable.name for variable in chosen.outputs], "--out", outputs
    )
    folder = functions_folder(ctx, [Path(program).parent], functions)
    for name, array in _evaluate(checked, chosen, parameters, arrays, folder).items():
        if name in paths:
            write_array(Path(paths[name]), chosen.variable(name), parameters, array)
        else:
            _print(chosen.variable(name), parameters, array)


def _input_files(system: System, options: tuple[str, ...]) -> dict[str, str]:
    """Returns the file of each input. Raises InputError for a missing one."""
    names = [variable.name for variable in system.inputs]
    files = variable_files(f"`{system.name}`", "input", names, "--in", options)
    missing = [name for name in names if name not in files]
    if missing:
        raise InputError(f"`{system.name}` needs values for {listing(missing)}: give --in {missing[0]}=FILE")
    return files


def _arrays(system: System, files: Mapping[str, str], parameters: dict[str, int]) -> dict[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {}
    for name, file in files.items():
        variable = system.variable(name)
        if file == "-":
            arrays[name] = parse_values(Source("<stdin>", sys.stdin.read()), variable, parameters)
        else:
            arrays[name] = read_array(Path(file), variable, parameters)
    return arrays


def _evaluate(
    checked: Checked, system: System, parameters: dict[str, int], arrays: dict[str, np.ndarray], folder: Path
) -> dict[str, np.ndarray]:
    functions = {}
    if checked.program.externals:
        functions = dict(external_functions(checked.program, folder, find_compiler()))
    progress(f"evaluating {system.name}")
    outputs = evaluate(checked.program, checked.facts, system.name, parameters, arrays, functions)
    progress("")
    return outputs


def _print(variable: Variable, parameters: dict[str, int], array: np.ndarray) -> None:
    """Prints `M[1,2] = 3`, a line for each point of the domain."""
    box = variable_box(variable, parameters)
    mask = domain_mask(variable.domain, box, parameters)
    lines = []
    for at in np.argwhere(mask):
        point = ",".join(str(int(c) + low) for c, low in zip(at, box.lower, strict=True))
        name = f"{variable.name}[{point}]" if point else variable.name
        lines.append(f"{name} = {value_text(array[tuple(at)])}\n")
    click.echo("".join(lines), nl=False)
