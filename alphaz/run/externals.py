"""The user's external functions, in C, as Python functions, so that the interpreter uses the same ones."""

import ctypes
from collections.abc import Callable, Mapping
from pathlib import Path

from alphaz.codegen.sources import EXTERNALS, Sources
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import COMPILATION
from alphaz.model.program import External, Program
from alphaz.model.types import DOUBLE, ScalarType
from alphaz.run.compiler import Compiler, find_compiler
from alphaz.run.library import NotCompiled, load

_PREFIX = "alphaz_external_"
_INCLUDES = f'#include <stdbool.h>\n#include <math.h>\n#include "{EXTERNALS}"\n'

_UNARY = (
    "sqrt cbrt exp exp2 expm1 log log2 log10 log1p fabs floor ceil round trunc rint sin cos tan asin acos atan sinh "
    "cosh tanh asinh acosh atanh erf erfc tgamma lgamma"
)
_BINARY = "pow atan2 hypot fmod fmin fmax copysign fdim remainder"
_ARITIES = {**dict.fromkeys(_UNARY.split(), 1), **dict.fromkeys(_BINARY.split(), 2), "fma": 3}
"""The functions of doubles that C itself has (C11 7.12), and how many arguments they have."""

_CTYPES: dict[str, type] = {
    "bool": ctypes.c_bool,
    "int8": ctypes.c_int8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16,
    "uint32": ctypes.c_uint32,
    "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}


def external_functions(
    program: Program, include: Path | None, compiler: Compiler | None = None
) -> Mapping[str, Callable[..., object]]:
    """Returns a Python function for each declared one, from `external_functions.h` of the folder; without that file,
    only for functions of the mathematical library of C.

    Raises Rejected(COMPILATION) when the header lacks a function that the program declares.
    """
    if include is None or not (include / EXTERNALS).is_file():
        known = [external for external in program.externals if _is_mathematical(external)]
        text = "".join(f"{_prototype(external)};\n{_exported(external)}" for external in known)
        library = load(Sources({"externals.c": text}), compiler or find_compiler(), ("-O1",)) if known else None
        return {external.name: _callable(library, external) for external in known} if library is not None else {}
    if not program.externals:
        return {}
    text = _INCLUDES + "".join(map(_exported, program.externals))
    try:
        library = load(Sources({"externals.c": text}), compiler or find_compiler(), ("-O1",), include)
    except NotCompiled as problem:
        raise Rejected(_refused(program, include, problem)) from None
    return {e.name: _callable(library, e) for e in program.externals}


def _types(external: External) -> list[ScalarType]:
    """Returns the argument types; an argument without a type in the program is a double."""
    return [type_ or DOUBLE for type_ in external.arguments]


def _is_mathematical(external: External) -> bool:
    """Returns True if <math.h> declares the function with this signature."""
    return all(t is DOUBLE for t in (external.type, *_types(external))) and _ARITIES.get(external.name) == len(
        external.arguments
    )


def _prototype(external: External) -> str:
    return f"{external.type.c_name} {external.name}({', '.join(t.c_name for t in _types(external))})"


def _exported(external: External) -> str:
    types = _types(external)
    declared = ", ".join(f"{t.c_name} a{position}" for position, t in enumerate(types)) or "void"
    parameters = ", ".join(f"a{position}" for position in range(len(types)))
    head = f"{external.type.c_name} {_PREFIX}{external.name}({declared})"
    return f"{head};\n{head} {{ return {external.name}({parameters}); }}\n"


def _callable(library: ctypes.CDLL, external: External) -> Callable[..., object]:
    function = library[_PREFIX + external.name]
    function.restype = _CTYPES[external.type.numpy]
    function.argtypes = [_CTYPES[t.numpy] for t in _types(external)]
    return function


def _refused(program: Program, include: Path, problem: NotCompiled) -> Diagnostic:
    first = program.externals[0]
    return Diagnostic(
        COMPILATION,
        f"`{include / EXTERNALS}` does not define the external functions as the program declares them",
        Label(first.span, "declared here"),
        notes=problem.first_lines(),
    )
