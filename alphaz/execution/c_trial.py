"""A C function executed under sanitizers, against the interpreter: whether what a proof fails at really goes wrong."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from types import MappingProxyType

import numpy as np

from alphaz.analysis.checks.checked import Checked
from alphaz.c_reading.text import with_sizes
from alphaz.diagnostics import Rejected, Source
from alphaz.execution.compare import Tolerance, compare
from alphaz.execution.compiler import Compiler
from alphaz.execution.data import random_inputs, tame_inputs
from alphaz.execution.process import run
from alphaz.execution.stored import Layouts, boxed, shape_of, stored
from alphaz.model.interpreter import evaluate
from alphaz.model.program import System, Variable

_FLAGS = ("-std=gnu11", "-O1", "-g", "-fwrapv", "-ffp-contract=off", "-w")
_SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_SECONDS = 60
# What each byte holds that nobody has written.
_RUBBISH = 0x5A
_TOLERANCE = Tolerance(relative=1e-6, absolute=1e-6)


@dataclass(frozen=True, slots=True)
class Argument:
    """What is passed: a parameter by its value, a `value`, or the array of a variable (`by_value`: a number of it;
    `in_rows`: pointers to its rows; `is_result`: what the function returns, which is stored there; `in_file`:
    what has this name outside of functions, which is filled before the call)."""

    name: str
    variables: tuple[str, ...] = ()
    by_value: bool = False
    value: int | None = None
    in_rows: bool = False
    is_result: bool = False
    in_file: bool = False


@dataclass(frozen=True, slots=True)
class Wrong:
    """What went wrong, in words, and with which inputs."""

    sentence: str
    inputs: str


class NotTried(Exception):
    """The function could not be executed, and why."""


def executed(
    source: Source,
    function: str,
    arguments: Sequence[Argument],
    checked: Checked,
    system: System,
    parameters: Mapping[str, int],
    compiler: Compiler,
    layouts: Layouts,
    seeds: Sequence[int] = (1, 2),
    macros: Mapping[str, str] = MappingProxyType({}),
) -> Wrong | None:
    """What goes wrong for these parameters, with some random inputs; None where nothing does. `macros` of the text
    are parameters. Raises NotTried."""
    text = with_sizes(source.text, {name: str(parameters[wanted]) for name, wanted in macros.items()})
    source = Source(source.name, text) if macros else source
    for seed in seeds:
        for kind, make in (("random", random_inputs), ("tame random", tame_inputs)):
            inputs = make(system, parameters, seed)
            try:
                with np.errstate(all="ignore"):
                    wanted = evaluate(checked.program, checked.facts, system.name, parameters, inputs)
            except Rejected:
                continue
            if any(a.dtype.kind == "f" and not np.isfinite(a).all() for a in wanted.values()):
                continue
            told = f"{kind} inputs, seed {seed}"
            found = _one(source, function, arguments, system, parameters, compiler, inputs, wanted, told, layouts)
            if found is not None:
                return found
    return None


def _one(
    source: Source,
    function: str,
    arguments: Sequence[Argument],
    system: System,
    parameters: Mapping[str, int],
    compiler: Compiler,
    inputs: Mapping[str, np.ndarray],
    wanted: Mapping[str, np.ndarray],
    told: str,
    layouts: Layouts,
) -> Wrong | None:
    with tempfile.TemporaryDirectory(prefix="alphaz-trial-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "kernel.c").write_text(source.text, encoding="utf-8")
        (folder / "driver.c").write_text(driver(function, arguments, system, parameters, layouts), encoding="utf-8")
        for variable, array in inputs.items():
            passed = _passed(system.variable(variable), layouts, parameters, array)
            (folder / f"{variable}.in").write_bytes(np.ascontiguousarray(passed).tobytes())
        include = ("-I", str(Path(source.name).parent.resolve()))
        command = (*compiler.command, *_FLAGS, *_SANITIZERS, *compiler.openmp_flags, *include)
        built = run((*command, "driver.c", "-o", "driver", "-lm"), folder, _SECONDS)
        if not built.succeeded:
            raise NotTried(next((line for line in built.errors.splitlines() if "error" in line), "no compilation"))
        for threads in (1, 2, 4) if "omp" in source.text else (1,):
            ended = run((str(folder / "driver"), str(threads)), folder, _SECONDS)
            if not ended.succeeded:
                if ended.status is None:
                    raise NotTried(ended.errors)
                return Wrong(_fault(ended.errors), told)
            found = {}
            for each in system.outputs:
                raw = np.frombuffer((folder / f"{each.name}.out").read_bytes(), dtype=each.type.numpy)
                left = raw.reshape(shape_of(each, layouts, parameters))
                found[each.name] = boxed(each, layouts, parameters, left)
                if _passed(each, layouts, parameters, found[each.name]).tobytes() != left.tobytes():
                    return Wrong(f"elements of the array of {each.name} are changed that hold none of its points", told)
            differences = compare(system.outputs, parameters, wanted, found, _TOLERANCE)
            if differences:
                first = differences[0]
                with_threads = f" with {threads} threads" if threads > 1 else ""
                return Wrong(
                    f"{first.name} is {first.other}{with_threads}, and {first.reference} by the equations", told
                )
    return None


def _passed(variable: Variable, layouts: Layouts, parameters: Mapping[str, int], values: np.ndarray) -> np.ndarray:
    """What the function is given; where no point is, there is rubbish, if the variable has a storage format."""
    given = stored(variable, layouts, parameters, values)
    if variable.name not in layouts:
        return given
    is_point = stored(variable, layouts, parameters, np.ones(values.shape, dtype=np.bool_))
    return np.where(is_point, given, np.frombuffer(bytes([_RUBBISH]) * given.itemsize, given.dtype)[0])


def _fault(errors: str) -> str:
    """The first line in which a sanitizer says what happened."""
    for line in errors.splitlines():
        if "runtime error:" in line:
            return line.partition("runtime error:")[2].strip()
        if "ERROR: AddressSanitizer:" in line:
            return line.partition("AddressSanitizer:")[2].partition(" on ")[0].strip()
    return "it ended with an error"


def driver(
    function: str, arguments: Sequence[Argument], system: System, parameters: Mapping[str, int], layouts: Layouts
) -> str:
    """A program that reads the inputs from files, calls the function once and writes the outputs."""
    lines = [
        "#define main kernel_main", '#include "kernel.c"', "#undef main",
        "#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>",
        "#ifdef _OPENMP", "#include <omp.h>", "#endif",
        'const char *__asan_default_options(void) { return "detect_leaks=0"; }',
        "int main(int argc, char **argv)", "{", "    FILE *file;", "    (void)argc;",
        "#ifdef _OPENMP", "    omp_set_num_threads(atoi(argv[1]));", "#endif", "    (void)argv;",
    ]  # fmt: skip
    outputs = {v.name for v in system.outputs}
    # What is local here must not have the name of what the file declares.
    begin = next(at for at, line in enumerate(lines) if line.startswith("int main"))
    lines[begin:begin] = [each for number, argument in enumerate(arguments) for each in _moving(number, argument)]
    for number, argument in enumerate(arguments):
        if argument.variables:
            lines += _made(number, argument, system, parameters, layouts)
    numbered = [*enumerate(arguments)]
    given = (_given(number, argument, system, parameters) for number, argument in numbered
             if not argument.is_result and not argument.in_file)  # fmt: skip
    lines += (f"    into{number}(a{number});" for number, argument in numbered if argument.in_file)
    results = (f"{_number(number, argument, system)} = " for number, argument in numbered if argument.is_result)
    lines.append(f"    {''.join(results)}{function}({', '.join(given)});")
    lines += (f"    from{number}(a{number});" for number, argument in numbered if argument.in_file)
    for number, argument in enumerate(arguments):
        if argument.in_rows:
            lines += _moved(number, argument, system, parameters, layouts, back=True)
    for number, argument in enumerate(arguments):
        for each in argument.variables:
            if each in outputs:
                variable = system.variable(each)
                size = prod(shape_of(variable, layouts, parameters))
                width = np.dtype(variable.type.numpy).itemsize
                lines += [
                    f'    file = fopen("{each}.out", "wb");',
                    f"    if (file == NULL || fwrite(a{number}, {width}, {size}, file) != {size}) return 98;",
                    "    fclose(file);",
                ]
        if argument.variables:
            lines.append(f"    free(a{number});")
    return "\n".join([*lines, "    return 0;", "}", ""])


def _moving(number: int, argument: Argument) -> Iterator[str]:
    """Functions that fill what the file declares, and look at it."""
    if argument.in_file:
        name = argument.name
        yield f"static void into{number}(const void *bytes__) {{ memcpy((void *)&{name}, bytes__, sizeof({name})); }}"
        yield f"static void from{number}(void *bytes__) {{ memcpy(bytes__, (void *)&{name}, sizeof({name})); }}"


def _given(number: int, argument: Argument, system: System, parameters: Mapping[str, int]) -> str:
    """As it is passed."""
    if argument.value is not None:
        return f"{argument.value}"
    if not argument.variables:
        return f"{parameters[argument.name]}"
    if argument.by_value:
        return _number(number, argument, system)
    return f"r{number}" if argument.in_rows else f"a{number}"


def _number(number: int, argument: Argument, system: System) -> str:
    """Of an array of one number, that."""
    return f"*({system.variable(argument.variables[0]).type.c_name} *)a{number}"


def _made(
    number: int, argument: Argument, system: System, parameters: Mapping[str, int], layouts: Layouts
) -> list[str]:
    """An array of its very size, filled with rubbish or an input."""
    first = system.variable(argument.variables[0])
    size = max(prod(shape_of(first, layouts, parameters)), 1)
    width = np.dtype(first.type.numpy).itemsize
    lines = [f"    void *a{number} = malloc({size * width});", f"    memset(a{number}, {_RUBBISH}, {size * width});"]
    for each in argument.variables:
        if any(each == variable.name for variable in system.inputs):
            lines += [
                f'    file = fopen("{each}.in", "rb");',
                f"    if (file == NULL || fread(a{number}, {width}, {size}, file) > {size}) return 99;",
                "    fclose(file);",
            ]
    return [*lines, *(_moved(number, argument, system, parameters, layouts, back=False) if argument.in_rows else ())]


def _moved(
    number: int, argument: Argument, system: System, parameters: Mapping[str, int], layouts: Layouts, back: bool
) -> Iterator[str]:
    """Rows of their own, filled from the array; or `back` into it."""
    first = system.variable(argument.variables[0])
    rows, columns = shape_of(first, layouts, parameters)
    type_, row = first.type.c_name, f"({first.type.c_name} *)a{number} + i * {columns}"
    loop, size = f"    for (long i = 0; i < {rows}; i++) {{", f"{columns} * sizeof({type_})"
    if back:
        yield f"{loop} memcpy({row}, r{number}[i], {size}); free(r{number}[i]); }}"
        yield f"    free(r{number});"
        return
    yield f"    {type_} **r{number} = malloc({max(rows, 1)} * sizeof({type_} *));"
    yield f"{loop} r{number}[i] = malloc({size} + !({size})); memcpy(r{number}[i], {row}, {size}); }}"
