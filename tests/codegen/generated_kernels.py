"""Programs and scripts given as text, generated, compiled and run."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from alphaz.analysis.checks.check import examine
from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.elaborate.programs import elaborate_partly
from alphaz.analysis.read import read_program
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Source
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.run.compiler import find_compiler
from alphaz.scripting.interpreter.run import run_script
from alphaz.syntax.parser import parse_program

ROOT = Path(__file__).parents[2]
STRICT = ("-std=c11", "-ffp-contract=off", "-Wall", "-Wextra", "-Wconversion", "-Werror")
SANITIZED = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def checked(text: str) -> Checked:
    return read_program(Source("program.ab", text))


def unaccepted(text: str) -> Checked:
    """A program in spite of its errors, as nobody but a test gets it."""
    source = Source("program.ab", text)
    elaborated = elaborate_partly(parse_program(source), source)
    return examine(elaborated.program, elaborated.complete_systems, elaborated.diagnostics).checked


def design_of(folder: Path, program: str, commands: str) -> Design:
    """The design that a script leaves: `commands` come after the program was read as `prog`."""
    (folder / "program.ab").write_text(program)
    script = Source("script.cs", f'prog = ReadAlphabets("program.ab");\n{commands}\n')
    session = run_script(script, folder)
    assert not session.has_errors, [f.message for f in session.findings]
    return session.designs[-1]


def proved(folder: Path, program: str, commands: str) -> Verified:
    return certify(verify(design_of(folder, program, commands)))


def sample(name: str) -> Verified:
    """A script of `samples/`, proved."""
    path = ROOT / "samples" / name
    session = run_script(Source(path.name, path.read_text()), path.parent)
    assert not session.has_errors, [f.message for f in session.findings]
    return certify(verify(session.designs[-1]))


def write(sources: Sources, folder: Path) -> None:
    for name, text in {**sources.files, **sources.if_absent}.items():
        (folder / name).write_text(text)


def compile_program(folder: Path, output: str, units: list[str], flags: tuple[str, ...] = ()) -> None:
    """Compiles without a single warning, or fails the test."""
    compiler = find_compiler()
    command = [*compiler.command, *STRICT, *flags, *compiler.thread_flags, *units, "-o", output, "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def run(
    folder: Path, *command: str, text: str = "", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    everything = {**os.environ, "OMP_NUM_THREADS": "2", **(environment or {})}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, input=text, timeout=60, env=everything)
