"""The programs that `benchmarks/check` measures are right, and the time of an equation does not grow."""

import importlib.util
import time
from pathlib import Path
from types import ModuleType

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source

pytestmark = pytest.mark.slow

PATH = Path(__file__).parents[2] / "benchmarks" / "check" / "measure.py"


def _measure() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measure", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_time_of_an_equation_does_not_grow_with_their_number() -> None:
    measure = _measure()
    seconds = {}
    for count in (5, 30, 120):
        source = Source("measured.ab", measure.program(count))
        begun = time.process_time()
        assert read_program(source).warnings == ()
        seconds[count] = (time.process_time() - begun) / count
    assert seconds[120] < 2 * seconds[30]
