"""Both printed forms of every program of the corpus read back to the same program."""

import pytest

from alphaz.analysis.elaborate import elaborate
from alphaz.analysis.show import ashow, show
from alphaz.diagnostics import Source
from alphaz.model.program import Equation, Program
from alphaz.syntax.parser import parse_program
from tests.cases.running import FOLDER, paths


def read(text: str) -> Program:
    """Without the checks, which the corpus has passed."""
    source = Source("printed", text)
    return elaborate(parse_program(source), source)


def corpus(path: str) -> Program:
    return read((FOLDER / path).read_text(encoding="utf-8"))


def renamed(program: Program) -> bool:
    """Does an equation call its indices other than the declaration does? The point-free form keeps the latter."""
    return any(
        isinstance(e, Equation) and e.indices != system.variable(e.variable).domain.space.names
        for system in program.systems
        for e in system.equations
    )


@pytest.mark.parametrize("path", paths())
def test_the_array_form_reads_back(path: str) -> None:
    printed = ashow(corpus(path))
    assert ashow(read(printed)) == printed


@pytest.mark.parametrize("path", paths())
def test_the_point_free_form_reads_back(path: str) -> None:
    program = corpus(path)
    if renamed(program):
        program = read(show(program))
    assert show(read(show(program))) == show(program)
