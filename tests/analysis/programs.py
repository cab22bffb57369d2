"""Small texts -> what is found out about them."""

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import ashow, show
from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs


def read(text: str) -> Checked:
    return read_program(Source("test.ab", text))


def found(text: str) -> tuple[Diagnostic, ...]:
    """The errors of a text, or its warnings where it has no errors."""
    try:
        return read(text).warnings
    except Rejected as rejected:
        return rejected.diagnostics


def codes(text: str) -> list[str]:
    return [diagnostic.rule.code for diagnostic in found(text)]


def only(text: str) -> Diagnostic:
    """The one finding of a text."""
    (diagnostic,) = found(text)
    return diagnostic


def prefix(body: str, declarations: str = "", context: str = "N>0") -> str:
    """A system with an input A and an output B, both over 0<=i<N, and these equations."""
    return (
        f"affine sums {{N | {context}}} input int A {{i | 0<=i<N}}; output int B {{i | 0<=i<N}}; {declarations} "
        f"let {body} ."
    )


def values(text: str) -> list[dict[str, object]]:
    """Returns the outputs of each system of a text at small parameters; both printed forms must give the same."""
    program = read(text)
    result = _values(program)
    for printed in (show(program.program), ashow(program.program)):
        assert _values(read(printed)) == result
    return result


def _values(program: Checked) -> list[dict[str, object]]:
    results: list[dict[str, object]] = []
    for system in program.program.systems:
        for size in (1, 2, 5):
            parameters = dict.fromkeys(system.parameters, size)
            if system.context.contains(parameters):
                inputs = random_inputs(system, parameters, size)
                outputs = evaluate(program.program, program.facts, system.name, parameters, inputs)
                results.append({name: array.tolist() for name, array in outputs.items()})
    return results
