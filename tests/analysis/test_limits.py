"""Hard questions end: in a verdict, a witness that need not be the smallest, or undecided with the place."""

import random

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.rules import OUTSIDE, UNDECIDED

pytestmark = pytest.mark.slow


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


@pytest.mark.long
def test_a_witness_that_is_hard_to_minimise_is_given_as_it_is_found() -> None:
    try:
        read_program(Source("nasty.ab", nasty(10, "abcde")))
    except Rejected as problem:
        (finding,) = problem.diagnostics
    assert finding.rule in (OUTSIDE, UNDECIDED)
    assert finding.primary.span.text in ("x[a,b,c,d,e]", "y[a,b,c,d,e]")
    if finding.witness is not None:
        assert finding.witness.sentence.endswith("(there may be smaller witnesses)")


def of_points(pieces: int) -> str:
    """An equation whose branches are unions of points, as outlining leaves them."""
    branches = (" || ".join(f"{{| i=={3 * k + rest}}}" for k in range(pieces // 3)) for rest in range(3))
    cases = "\n".join(f"{union}: a[i] + {rest};" for rest, union in enumerate(branches))
    return (
        f"affine points {{N | N>={pieces + 1}}}\ninput int a {{i | 0<=i<N}};\noutput int y {{i | 0<=i<N}};\n"
        f"let y[i] = case {cases} {{| i>={pieces}}}: a[i]; esac;\n.\n"
    )


def of_boxes(width: int) -> str:
    """The same of squares, in three colours."""
    squares: list[list[str]] = [[], [], []]
    for x in range(width):
        for y in range(width):
            square = f"{{| {4 * x}<=i && i<={4 * x + 3} && {4 * y}<=j && j<={4 * y + 3}}}"
            squares[(x + y) % 3].append(square)
    cases = "\n".join(f"{' || '.join(union)}: a[i,j] + {colour};" for colour, union in enumerate(squares))
    return (
        f"affine boxes {{N | N=={4 * width}}}\ninput int a {{i,j | 0<=(i,j)<N}};\n"
        f"output int y {{i,j | 0<=(i,j)<N}};\nlet y[i,j] = case {cases} esac;\n.\n"
    )


@pytest.mark.parametrize("text", [of_points(1101), of_boxes(32)], ids=["points", "boxes"])
def test_branches_of_many_pieces_are_no_limit(text: str) -> None:
    assert not read_program(Source("many.ab", text)).warnings
