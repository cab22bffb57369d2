"""Hard questions end: in a verdict, a witness that need not be the smallest, or undecided with the place."""

import random

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.rules import OUTSIDE, UNDECIDED


def nasty(pieces: int, names: str) -> str:
    """A read from a union of polyhedra with large coefficients, which covers nearly nothing."""
    source = random.Random(5)

    def half() -> str:
        return "+".join(f"{source.randint(1, 97)}{name}" for name in names)

    indices = ",".join(names)
    union = " || ".join(
        f"{{{indices} | {half()} >= {half()}+{source.randint(1, 50)}M && {half()} <= {half()}+N}}"
        for _ in range(pieces)
    )
    return (
        f"affine nasty {{N,M | N>=1 && M>=1}}\ninput int x {union};\noutput int y {{{indices} | 0<=({indices})<N}};\n"
        f"let y[{indices}] = x[{indices}];\n.\n"
    )


def test_a_witness_that_is_hard_to_minimise_is_given_as_it_is_found() -> None:
    try:
        read_program(Source("nasty.ab", nasty(10, "abcde")))
    except Rejected as problem:
        (finding,) = problem.diagnostics
    assert finding.rule in (OUTSIDE, UNDECIDED)
    assert finding.primary.span.text in ("x[a,b,c,d,e]", "y[a,b,c,d,e]")
    if finding.witness is not None:
        assert finding.witness.sentence.endswith("(there may be smaller witnesses)")
