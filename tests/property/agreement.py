"""Agreement of the checks and the interpreter with the enumeration of a program, at a few sizes."""

from collections.abc import Iterable

import numpy as np

from alphaz.analysis.checks.check import Examined, examine
from alphaz.analysis.elaborate.programs import elaborate_partly
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.rules import CYCLE
from alphaz.model.input_values import variable_box
from alphaz.model.interpreter import evaluate
from alphaz.model.program import Variable
from alphaz.syntax.parser import parse_program
from tests.property.brute_force import Point, System

SIZES = range(1, 6)
# What is wrong for the first time at a larger size is looked for there, as long as that does not take too long.
MOST = 12


def examined(text: str) -> Examined:
    """A text of `tests.strategies.programs`, with all that is found in it."""
    source = Source("test.ab", text)
    result = elaborate_partly(parse_program(source), source)
    assert {d.rule.code for d in result.diagnostics} <= {"AZ208"}
    return examine(result.program, result.complete_systems, result.diagnostics)


def systems(text: str, sizes: Iterable[int] = SIZES) -> dict[int, System]:
    """The same for the enumeration, by the value of N."""
    (system,) = parse_program(Source("test.ab", text)).systems
    return {n: System(system, n) for n in sizes}


def disagreement(text: str) -> str | None:
    """Returns a difference between the two about undefined points, overlaps or values; None if there is none."""
    whole = examined(text)
    witnesses = {n for d in whole.diagnostics if d.witness is not None for _, n in d.witness.parameters}
    enumerated = systems(text, sorted({*SIZES, *(n for n in witnesses if n <= MOST)}))
    codes = {d.rule.code for d in whole.diagnostics}
    if "AZ801" not in codes:
        if any(any(True for _ in value.undefined()) for value in enumerated.values()) != bool(
            codes & {"AZ304", "AZ306"}
        ):
            return f"what is undefined: {sorted(codes)}"
        if any(value.overlapping() for value in enumerated.values()) != ("AZ305" in codes):
            return f"what overlaps: {sorted(codes)}"
    if any(d.is_error for d in whole.diagnostics):
        return None
    differing = [size for size, value in enumerated.items() if not _same_values(whole, size, value)]
    return f"values at N={differing[0]}" if differing else None


def _same_values(whole: Examined, size: int, enumerated: System) -> bool:
    (system,) = whole.checked.program.systems
    inputs = {v.name: {p: 7 * at % 11 - 3 for at, p in enumerate(enumerated.points(v.name))} for v in system.inputs}
    arrays = {v.name: _array(v, size, inputs[v.name]) for v in system.inputs}
    try:
        values = evaluate(whole.checked.program, whole.checked.facts, "test", {"N": size}, arrays)
    except Rejected as problem:
        # A cycle that the checks left open.
        return problem.diagnostics[0].rule is CYCLE
    wanted = enumerated.values(inputs)
    return all(
        np.array_equal(values[name], _array(system.variable(name), size, points)) for name, points in wanted.items()
    )


def _array(variable: Variable, size: int, points: dict[Point, int]) -> np.ndarray:
    """Over the bounding box, 0 where there is no point."""
    box = variable_box(variable, {"N": size})
    array = np.zeros(box.shape, dtype=np.int32)
    for point, value in points.items():
        array[tuple(at - low for at, low in zip(point, box.lower, strict=True))] = value
    return array
