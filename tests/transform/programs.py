"""Small programs before and after a rewriting, as text; maps and domains as scripts write them."""

from collections.abc import Callable
from textwrap import dedent, indent

import pytest

from alphaz.analysis.elaborate.programs import elaborate_domain, elaborate_function
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import ashow
from alphaz.diagnostics import Diagnostic, Rejected, Source, Span
from alphaz.mapping.design import Design
from alphaz.poly import AffineFunction, Domain
from alphaz.syntax.parser import parse_domain_at, parse_function_at

Change = Callable[[Design], Design]


def sums(equations: str, local: str = "") -> str:
    """A system with an input A and an output B, both over 0<=i<N, with these locals and equations."""
    parts = ["affine sums {N | N>=1}", "input", "    int A {i | 0<=i<N};", "output", "    int B {i | 0<=i<N};"]
    if local:
        parts += ["local", indent(dedent(local).strip(), "    ")]
    return "\n".join([*parts, "let", indent(dedent(equations).strip(), "    "), "."]) + "\n"


def design(text: str) -> Design:
    return Design(read_program(Source("sums.ab", text)))


def changed(text: str, change: Change) -> str:
    """The program after the change, in array form."""
    return ashow(change(design(text)).program)


def refused(text: str, change: Change) -> Diagnostic:
    """The one finding with which the change is refused."""
    before = design(text)
    with pytest.raises(Rejected) as rejected:
        change(before)
    (diagnostic,) = rejected.value.diagnostics
    return diagnostic


def same(text: str, expected: str) -> None:
    """Both programs, printed, line by line; the expected one must be a right program too."""
    assert text.split("\n") == ashow(design(expected).program).split("\n")


def function(text: str, parameters: tuple[str, ...] = ("N",)) -> AffineFunction:
    return elaborate_function(parse_function_at(_span(text)), parameters)


def domain(text: str, parameters: tuple[str, ...] = ("N",)) -> Domain:
    return elaborate_domain(parse_domain_at(_span(text)), parameters)


def _span(text: str) -> Span:
    return Span(Source("argument", text), 0, len(text))
