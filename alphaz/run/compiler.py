"""Finds a working C compiler. It must make a program that runs; OpenMP is tested too."""

import os
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from alphaz.codegen.targets.openmp import directive
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NO_COMPILER
from alphaz.processes.external import ProcessOutcome, run

_NAMES = ("cc", "gcc", "clang")
_PROBE_SECONDS = 60
_PROBE = "#include <stdint.h>\n#include <math.h>\nint main(void) { int64_t x = 42; return x == 42 ? 0 : 1; }\n"
_OPENMP_PROBE = f"""\
#include <omp.h>
int main(void) {{
    int count = 0;
    omp_set_num_threads(2);
    {directive("omp parallel for reduction(+:count)")}
    for (int i = 0; i < 8; i++) count += 1;
    return count == 8 ? 0 : 1;
}}
"""
_REMEDY = "install one (Debian and Ubuntu: apt install gcc libc6-dev), or name yours in the variable CC"
# The system's messages for a full disk.
_FULL = "No space left on device"


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler that works here. `command` starts it; `openmp`: -fopenmp works."""

    command: tuple[str, ...]
    version: str
    openmp: bool

    @property
    def openmp_flags(self) -> tuple[str, ...]:
        return ("-fopenmp",) if self.openmp else ()


def find_compiler() -> Compiler:
    """Returns the compiler that CC names, else the first of cc, gcc, clang that works with OpenMP, else one without.

    The result is cached in a process for each value of CC and PATH. Raises Rejected(NO_COMPILER).
    """
    return _find(os.environ.get("CC", ""), os.environ.get("PATH", ""))


@lru_cache(maxsize=64)
def has_feature(compiler: Compiler, feature: str) -> bool:
    """Returns True if the processor has instructions of this name (`avx2`), and the compiler uses them."""
    text = f'int main(void) {{ return !__builtin_cpu_supports("{feature}"); }}\n'
    return _probe(compiler.command, text, (f"-m{feature}",)).succeeded


def require_openmp(compiler: Compiler) -> None:
    """Raises Rejected(NO_COMPILER) for more than one thread without OpenMP."""
    if not compiler.openmp:
        name = shlex.join(compiler.command)
        raise Rejected(
            Diagnostic(
                NO_COMPILER,
                f"the C compiler `{name}` has no OpenMP, so more than one thread cannot be used",
                Label(NOWHERE),
                help="install it (Debian and Ubuntu: apt install gcc, or libomp-dev for clang), or use one thread",
            )
        )


def find_working(names: Sequence[str], flags: tuple[str, ...]) -> Compiler | None:
    """Returns the first of these commands that makes a program that runs, with these flags."""
    return _working(tuple(names), flags, os.environ.get("PATH", ""))


@lru_cache(maxsize=8)
def _working(names: tuple[str, ...], flags: tuple[str, ...], path: str) -> Compiler | None:
    for name in names:
        if _probe((name,), _PROBE, flags).succeeded:
            return Compiler((name,), _version((name,)), "-fopenmp" in flags)
    return None


@lru_cache(maxsize=8)
def _find(chosen: str, path: str) -> Compiler:
    candidates = [tuple(shlex.split(chosen))] if chosen.strip() else [(name,) for name in _NAMES]
    tried: list[str] = []
    without_openmp: Compiler | None = None
    for command in candidates:
        outcome = _probe(command, _PROBE, ())
        if not outcome.succeeded:
            tried.append(f"`{shlex.join(command)}`: {_reason(outcome)}")
            continue
        openmp = _probe(command, _OPENMP_PROBE, ("-fopenmp",)).succeeded
        compiler = Compiler(command, _version(command), openmp)
        if openmp:
            return compiler
        without_openmp = without_openmp or compiler
    if without_openmp is None:
        message = "no C compiler was found that makes a program that runs"
        remedy = remedy_for("\n".join(tried), _REMEDY)
        raise Rejected(Diagnostic(NO_COMPILER, message, Label(NOWHERE), notes=tuple(tried), help=remedy))
    return without_openmp


def is_telling(line: str) -> bool:
    """Returns True if a line of compiler output contains an error message."""
    return any(word in line for word in ("error", "undefined", _FULL))


def remedy_for(said: str, otherwise: str) -> str:
    """Returns the remedy for an error message: free disk space, where it was exhausted."""
    return "make room, or name a folder for temporary files in the variable TMPDIR" if _FULL in said else otherwise


def _probe(command: tuple[str, ...], text: str, flags: tuple[str, ...]) -> ProcessOutcome:
    """Compiles a program and runs it."""
    with tempfile.TemporaryDirectory(prefix="alphaz-probe-") as name:
        folder = Path(name)
        (folder / "probe.c").write_text(text, encoding="utf-8")
        compiled = run((*command, "-std=c11", *flags, "probe.c", "-o", "probe", "-lm"), folder, _PROBE_SECONDS)
        if not compiled.succeeded:
            return compiled
        return run((str(folder / "probe"),), folder, _PROBE_SECONDS)


def _version(command: tuple[str, ...]) -> str:
    outcome = run((*command, "--version"), Path(tempfile.gettempdir()), _PROBE_SECONDS)
    return outcome.output.partition("\n")[0].strip()


def _reason(outcome: ProcessOutcome) -> str:
    if outcome.errors.strip():
        lines = outcome.errors.strip().splitlines()
        return next(filter(is_telling, lines), lines[0])
    return f"a program that does nothing ended with status {outcome.status}"
