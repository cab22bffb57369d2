"""Finds a compiler of a toolchain that works on this machine, with threads if possible, and runs the steps of a
build. It must make a program that runs; threads are tested too.
"""

import os
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.codegen.toolchain import Build, C, Toolchain
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NO_COMPILER
from alphaz.processes.external import ProcessOutcome, run
from alphaz.run.files import write_sources
from alphaz.run.packaged_programs import located

_PROBE_SECONDS = 60
# The system's messages for a full disk.
_FULL = "No space left on device"


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler of a toolchain that works here. `command` starts it; `has_threads`: its flags for threads work."""

    command: tuple[str, ...]
    version: str
    has_threads: bool
    toolchain: Toolchain = DEFAULT.toolchain

    @property
    def thread_flags(self) -> tuple[str, ...]:
        threads = self.toolchain.threads
        return threads.flags if threads is not None and self.has_threads else ()


def find_compiler(toolchain: Toolchain | None = None) -> Compiler:
    """Returns the compiler that the variable of the toolchain names, else its first command that works with threads,
    else one without. Without a toolchain, it is that of the default target.

    The result is cached in a process for each value of the variable and of PATH. Raises Rejected(NO_COMPILER).
    """
    chosen = toolchain or DEFAULT.toolchain
    return _find(chosen, os.environ.get(chosen.variable, ""), os.environ.get("PATH", ""))


@lru_cache(maxsize=64)
def has_feature(compiler: Compiler, feature: str) -> bool:
    """Returns True if the processor has instructions of this name (`avx2`), and the compiler uses them."""
    text = f'int main(void) {{ return !__builtin_cpu_supports("{feature}"); }}\n'
    return _probe(compiler.toolchain, compiler.command, text, (f"-m{feature}",)).succeeded


@lru_cache(maxsize=64)
def takes(compiler: Compiler, flag: str) -> bool:
    """Returns True if the compiler accepts a flag without a warning."""
    return _probe(compiler.toolchain, compiler.command, "int main(void) { return 0; }\n", (flag, "-Werror")).succeeded


def require_threads(compiler: Compiler) -> None:
    """Raises Rejected(NO_COMPILER) for more than one thread where the flags for threads do not work."""
    threads = compiler.toolchain.threads
    if threads is not None and not compiler.has_threads:
        kind, name = compiler.toolchain.language.name, shlex.join(compiler.command)
        message = f"the {kind} compiler `{name}` has no {threads.name}, so more than one thread cannot be used"
        raise Rejected(Diagnostic(NO_COMPILER, message, Label(NOWHERE), help=f"{threads.remedy}, or use one thread"))


def find_working(toolchain: Toolchain, flags: tuple[str, ...]) -> Compiler | None:
    """Returns the first command of the toolchain that makes a program that runs, with these flags."""
    return _working(toolchain, flags, os.environ.get("PATH", ""))


@lru_cache(maxsize=8)
def _working(toolchain: Toolchain, flags: tuple[str, ...], path: str) -> Compiler | None:
    threads = toolchain.threads
    for name in map(located, toolchain.commands):
        if _probe(toolchain, (name,), toolchain.probe, flags).succeeded:
            has_threads = threads is not None and set(threads.flags) <= set(flags)
            return Compiler((name,), _version((name,)), has_threads, toolchain)
    return None


@lru_cache(maxsize=8)
def _find(toolchain: Toolchain, chosen: str, path: str) -> Compiler:
    candidates = [tuple(shlex.split(chosen))] if chosen.strip() else [(located(name),) for name in toolchain.commands]
    threads, tried = toolchain.threads, list[str]()
    without_threads: Compiler | None = None
    for command in candidates:
        outcome = _probe(toolchain, command, toolchain.probe, ())
        if not outcome.succeeded:
            tried.append(f"`{shlex.join(command)}`: {_reason(outcome)}")
            continue
        has_threads = threads is not None and _probe(toolchain, command, threads.probe, threads.flags).succeeded
        compiler = Compiler(command, _version(command), has_threads, toolchain)
        if has_threads or threads is None:
            return compiler
        without_threads = without_threads or compiler
    if without_threads is None:
        message = f"no {toolchain.language.name} compiler was found that makes a program that runs"
        remedy = f"{toolchain.remedy}, or name yours in the variable {toolchain.variable}"
        remedy = remedy_for("\n".join(tried), remedy)
        raise Rejected(Diagnostic(NO_COMPILER, message, Label(NOWHERE), notes=tuple(tried), help=remedy))
    return without_threads


def is_telling(line: str) -> bool:
    """Returns True if a line of compiler output contains an error message."""
    return any(word in line for word in ("error", "undefined", _FULL))


def remedy_for(output: str, otherwise: str) -> str:
    """Returns the remedy for an error message: free disk space, where it was exhausted."""
    return "make room, or name a folder for temporary files in the variable TMPDIR" if _FULL in output else otherwise


def _probe(toolchain: Toolchain, command: tuple[str, ...], text: str, flags: tuple[str, ...]) -> ProcessOutcome:
    """Compiles a program and runs it."""
    unit = f"probe{toolchain.language.suffix}"
    files = Sources({**dict(toolchain.files), unit: text})
    with tempfile.TemporaryDirectory(prefix="alphaz-probe-") as name:
        folder = Path(name)
        units = units_of(toolchain, write_sources(files, folder), folder)
        build = Build(
            compiler=command,
            flags=(*toolchain.meaning, *flags),
            folders=("-I", "."),
            units=units,
            output="probe",
            libraries=toolchain.libraries,
            is_program=True,
        )
        compiled = run_steps(toolchain, build, folder, _PROBE_SECONDS)
        program = (*toolchain.launcher, str(folder / "probe"))
        return run(program, folder, _PROBE_SECONDS) if compiled.succeeded else compiled


def units_of(toolchain: Toolchain, paths: Sequence[Path], folder: Path) -> tuple[str, ...]:
    """Returns the names of the files that are compiled: C, and those in the language of the toolchain."""
    suffixes = (C.suffix, toolchain.language.suffix)
    return tuple(str(path.relative_to(folder)) for path in paths if path.suffix in suffixes)


def run_steps(toolchain: Toolchain, build: Build, folder: Path, seconds: float) -> ProcessOutcome:
    """Returns the outcome of the commands of a build in a folder: of the first that fails, or of the last."""
    for command in toolchain.steps(build):
        outcome = run(command, folder, seconds)
        if not outcome.succeeded:
            break
    return outcome


def _version(command: tuple[str, ...]) -> str:
    outcome = run((*command, "--version"), Path(tempfile.gettempdir()), _PROBE_SECONDS)
    return outcome.output.partition("\n")[0].strip()


def _reason(outcome: ProcessOutcome) -> str:
    if outcome.errors.strip():
        lines = outcome.errors.strip().splitlines()
        return next(filter(is_telling, lines), lines[0])
    return f"a program that does nothing ended with status {outcome.status}"
