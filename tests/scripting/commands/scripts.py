"""Running a text as a script on the program of the examples, in memory."""

from pathlib import Path

from alphaz.diagnostics import Diagnostic, Source
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import TargetMapping
from alphaz.scripting.commands.reference import EXAMPLE_C, EXAMPLE_C_FILE, EXAMPLE_FILE, EXAMPLE_PROGRAM
from alphaz.scripting.interpreter.run import Session, Settings, run_script

READ = f'prog = ReadAlphabets("{EXAMPLE_FILE}");\n'


def run(text: str, folder: Path, settings: Settings | None = None, program: str = EXAMPLE_PROGRAM) -> Session:
    """The script, in a folder that has the program."""
    (folder / EXAMPLE_FILE).write_text(program, encoding="utf-8")
    (folder / EXAMPLE_C_FILE).write_text(EXAMPLE_C, encoding="utf-8")
    return run_script(Source("test.cs", text), folder, settings)


def design_of(text: str, folder: Path, program: str = EXAMPLE_PROGRAM) -> Design:
    """The design that the lines make of the program; they must be right."""
    session = run(READ + text, folder, program=program)
    assert [finding.message for finding in session.findings if finding.is_error] == []
    design = session.values["prog"]
    assert isinstance(design, Design)
    return design


def mapping_of(text: str, folder: Path, program: str = EXAMPLE_PROGRAM) -> TargetMapping:
    """The mapping that the lines make of the (one) system."""
    design = design_of(text, folder, program)
    return design.mapping(design.program.systems[0].name)


def error_of(text: str, folder: Path, program: str = EXAMPLE_PROGRAM) -> Diagnostic:
    """The only error of the lines."""
    session = run(READ + text, folder, program=program)
    errors = [finding for finding in session.findings if finding.is_error]
    assert len(errors) == 1, [error.message for error in errors]
    return errors[0]
