"""The numbers that a program computes, every variable's: for inputs that are small integers, always the same."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from alphaz.diagnostics import Rejected
from alphaz.mapping.design import Design
from alphaz.model.interpreter import evaluate
from alphaz.model.program import Kind, Variable
from alphaz.model.values import variable_box
from alphaz.trace.trace import Element

Number = int | float


def values(design: Design, system: str, at: Mapping[str, int]) -> tuple[tuple[Element, Number], ...]:
    """What each value is by the equations, whatever the mapping does. Empty where the interpreter has no answer: a
    function of the user's own is called, or something is divided by zero."""
    chosen = design.system(system)
    # Under a name that no program has: others, or it itself, may call the system as it is.
    opened = replace(chosen, name=f"{system}'", variables=tuple(_opened(each) for each in chosen.variables))
    program = replace(design.program, systems=(*design.program.systems, opened))
    inputs = {each.name: _input(each, at) for each in chosen.inputs}
    try:
        outputs = evaluate(program, design.checked.facts, opened.name, at, inputs)
    except Rejected:
        return ()
    return tuple(
        (Element(each.name, point), _number((inputs | outputs)[each.name], each, at, point))
        for each in chosen.variables
        for point in each.domain.in_context(chosen.context).points(at)
    )


def _opened(variable: Variable) -> Variable:
    """A local is shown too."""
    return replace(variable, kind=Kind.OUTPUT) if variable.kind is Kind.LOCAL else variable


def _input(variable: Variable, at: Mapping[str, int]) -> np.ndarray:
    """From 1 to 9, neighbours unlike each other."""
    shape = variable_box(variable, at).shape
    numbers = np.arange(int(np.prod(shape)), dtype=np.int64) * 5 % 9 + 1
    return numbers.reshape(shape).astype(variable.type.numpy)


def _number(array: np.ndarray, variable: Variable, at: Mapping[str, int], point: tuple[int, ...]) -> Number:
    lower = variable_box(variable, at).lower
    found: Number = array[tuple(x - low for x, low in zip(point, lower, strict=True))].item()
    return round(found, 6) if isinstance(found, float) else found
