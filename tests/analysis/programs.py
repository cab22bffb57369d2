"""Small texts -> what is found out about them."""

from alphaz.analysis.checked import Checked
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Diagnostic, Rejected, Source


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
