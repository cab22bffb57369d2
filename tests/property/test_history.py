"""The history of a design is a script that makes the design again, whatever commands made it."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import alphaz
from alphaz.analysis.texts.show import ashow
from alphaz.diagnostics import Source
from alphaz.ide.console.console import Console
from alphaz.mapping.design import Design
from alphaz.scripting.commands.catalogue import commands
from alphaz.scripting.commands.declaring.declaration import CommandStatus, Topic
from alphaz.scripting.commands.reference import EXAMPLE_CALLER, EXAMPLE_FILE, EXAMPLE_PROGRAM
from alphaz.scripting.interpreter.run import run_script

pytestmark = pytest.mark.slow

STATEMENTS = sorted(
    {
        statement.strip()
        for command in commands()
        if command.status is CommandStatus.DONE and command.topic not in (Topic.BASIC, Topic.CODE)
        for statement in command.documentation.example.strip().removesuffix(";").split(";\n")
    }
)
"""What the examples of the commands say, to be mixed."""

AWKWARD = ['x = "a\\\\b\\"c"', 'setMemorySpace(prog, "sums", "sp" + "ace", \'B\')', "other = prog; Normalize(other)"]


@given(chosen=st.lists(st.sampled_from([*STATEMENTS, *AWKWARD]), min_size=3, max_size=10))
@settings(max_examples=20, deadline=None)
def test_the_history_makes_the_design_again(chosen: list[str]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / EXAMPLE_FILE).write_text(f"{EXAMPLE_PROGRAM}\n{EXAMPLE_CALLER}", encoding="utf-8")
        console = Console(folder)
        console.enter(f'prog = ReadAlphabets("{EXAMPLE_FILE}")')
        for statement in chosen:
            console.enter(statement)  # what is refused changes nothing
        design = console.interpreter.variables["prog"].value
        assert isinstance(design, Design)
        (again,) = run_script(Source("again.cs", str(design.history)), folder).designs
        assert again.history == design.history
        assert ashow(again.program) == ashow(design.program)
        assert _mapped(again) == _mapped(design)


def _mapped(design: Design) -> list[object]:
    """The mappings of all systems, as far as they print."""
    texts: list[object] = [alphaz.list_space_time_maps(design), alphaz.list_memory_maps(design)]
    for system in design.program.systems:
        mapping = design.mapping(system.name)
        texts += [(b.name, b.prefix, b.start, b.end, b.sizes, b.wavefront, b.recursive) for b in mapping.tiling]
    return texts
