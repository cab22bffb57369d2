"""Both printed forms of every program of the corpus read back to the same program."""

import pytest

from alphaz.analysis.elaborate.programs import elaborate
from alphaz.analysis.texts.show import ashow, show
from alphaz.diagnostics import Source
from alphaz.model.program import Program
from alphaz.syntax.parser import parse_program
from tests.cases.corpus import FOLDER, paths
from tests.thinning import thinned

pytestmark = pytest.mark.slow


def read(text: str) -> Program:
    """Without the checks, which the corpus has passed."""
    source = Source("printed", text)
    return elaborate(parse_program(source), source)


def corpus(path: str) -> Program:
    return read((FOLDER / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", paths())
def test_the_array_form_reads_back(path: str) -> None:
    printed = ashow(corpus(path))
    assert ashow(read(printed)) == printed


@pytest.mark.parametrize("path", thinned(paths(), 8))
def test_the_point_free_form_reads_back(path: str) -> None:
    printed = show(corpus(path))
    assert show(read(printed)) == printed
    assert ashow(read(printed)) == ashow(read(ashow(read(printed))))
