"""`min` and `max` of NaN follow the language, and random inputs are never NaN."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import alphaz
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs

PROGRAM = """affine S {N | N>=1}
input
  double a, b {i | 0<=i<N};
output
  double least, most {i | 0<=i<N};
let
  least[i] = a[i] min b[i];
  most[i] = a[i] max b[i];
.
"""
SCRIPT = """prog = ReadAlphabets("program.ab");
setSpaceTimeMap(prog, "S", "least, most", "(i -> i)");
setStatementOrdering(prog, "S", "least", "most");
"""
NAN = float("nan")
INPUTS = {"a": [NAN, 1.0, NAN, 0.0, -0.0], "b": [2.0, NAN, NAN, -0.0, 0.0]}


def _right(result: Mapping[str, np.ndarray]) -> bool:
    """Where one operand is no number, or the two are equal, both are the right operand, its sign included."""
    return all(result[name].tobytes() == np.asarray(INPUTS["b"]).tobytes() for name in ("least", "most"))


@pytest.mark.slow
def test_the_right_operand_of_what_is_no_number(tmp_path: Path) -> None:
    checked = read_program(Source("program.ab", PROGRAM))
    assert _right(evaluate(checked.program, checked.facts, "S", {"N": 5}, INPUTS))
    (tmp_path / "program.ab").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "script.cs").write_text(SCRIPT, encoding="utf-8")
    kernel = alphaz.compile(alphaz.run(tmp_path / "script.cs"), "S")
    assert _right(kernel.run({"N": 5}, {name: np.asarray(values) for name, values in INPUTS.items()}).outputs)


def test_random_inputs_are_numbers() -> None:
    system = read_program(Source("program.ab", PROGRAM)).program.system("S")
    for seed in range(20):
        inputs = random_inputs(system, {"N": 50}, seed)
        assert all(np.isfinite(values).all() for values in inputs.values())
