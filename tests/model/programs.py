"""Programs given as text, checked and evaluated."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from alphaz.analysis.checks.check import examine
from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.elaborate.programs import elaborate_partly
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.model.interpreter import evaluate
from alphaz.syntax.parser import parse_program


def checked(text: str) -> Checked:
    return read_program(Source("test.ab", text))


def unchecked(text: str) -> Checked:
    """The program, whatever the checks find: so that the interpreter meets what they refuse."""
    elaborated = elaborate_partly(parse_program(Source("test.ab", text)), Source("test.ab", text))
    return examine(elaborated.program, elaborated.complete_systems, elaborated.diagnostics).checked


def outputs(
    text: str,
    parameters: Mapping[str, int] | None = None,
    inputs: Mapping[str, object] | None = None,
    externals: Mapping[str, Callable[..., object]] | None = None,
    prepare: Callable[[str], Checked] = checked,
) -> dict[str, np.ndarray]:
    """The outputs of the system (the last one by default)."""
    program = prepare(text)
    name = program.program.systems[-1].name
    return evaluate(program.program, program.facts, name, parameters or {}, inputs or {}, externals)


def output(
    text: str,
    parameters: Mapping[str, int] | None = None,
    inputs: Mapping[str, object] | None = None,
    externals: Mapping[str, Callable[..., object]] | None = None,
) -> Any:
    """The only output, as nested lists (a number for a scalar)."""
    (array,) = outputs(text, parameters, inputs, externals).values()
    return array.tolist()
