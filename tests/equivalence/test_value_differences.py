"""Where C and equations differ, a finding shows the smallest parts and the cause."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.value_differences import DifferenceCause, ValueTerms
from tests.thinning import thinned

PROGRAM = """\
affine f {N | N >= 2}
input
 double A {i,k | 0<=i<N && 0<=k<N};
 double D {i | 0<=i<N};
output
 double B {i | 0<=i<N};
let
 B[i] = EQUATION;
.
"""
SCALED = "2.0 * A[i,0] + sqrt(D[i]) * A[i,1]"
SUM = "reduce(+, [k], {| 0<=k<N} : A[i,k] * D[k])"
LOOP = "B[i] = 0; for (long k = 0; k < N; k++)"


def difference(equation: str, body: str) -> str:
    """Returns the note that shows the difference; "" for none."""
    text = "#include <math.h>\nvoid f(long N, const double A[N][N], const double D[N], double B[N])\n"
    text += f"{{ for (long i = 0; i < N; i++) {{ {body} }} }}\n"
    head = "double sqrt(double);\n" if "sqrt" in equation else ""
    checked = read_program(Source("f.ab", head + PROGRAM.replace("EQUATION", equation)))
    finding = prove_c(checked, Source("f.c", text), ProofTask(executes=False)).findings[0]
    return next((note for note in finding.notes if note.startswith("C ")), "")


DIFFERENT = [
    (SCALED, "B[i] = 2.5 * A[i][0] + sqrt(D[i]) * A[i][1];", "C has `2.5`, the equations have `2`: another constant"),
    (
        SCALED,
        "B[i] = 2.0 * A[i][0] + sqrt(D[i]) * A[i][0];",
        "C has `A[0,0]`, the equations have `A[0,1]`: another element",
    ),
    (
        SCALED,
        "B[i] = 2.0 * A[i][0] + sqrt(A[i][1]) * A[i][1];",
        "C has `A[0,1]`, the equations have `D[0]`: another operand",
    ),
    (
        SCALED,
        "B[i] = 2.0 * A[i][0] + fabs(D[i]) * A[i][1];",
        "C has `fabs(D[0])`, the equations have `sqrt(D[0])`: another operation",
    ),
    (SCALED, "B[i] = 2.0 * A[i][0];", "C lacks the term `A[0,1] * sqrt(D[0])`"),
    (
        SCALED,
        "B[i] = 2.0 * A[i][0] - sqrt(D[i]) * A[i][1];",
        "C has `-A[0,1] * sqrt(D[0])`, the equations have `A[0,1] * sqrt(D[0])`: another sign",
    ),
    (
        "A[i,0] + D[i] + A[i,1]",
        "B[i] = A[i][0] + (D[i] + A[i][1]);",
        "C has `A[0,1] + D[0] + A[0,0]`, the equations have `A[0,0] + D[0] + A[0,1]`: another order of operations",
    ),
    ("A[i,0] / D[i]", "B[i] = D[i] / A[i][0];", "another operand"),
    ("D[i]", "B[i] = (float)D[i];", "C has `(float)(D[0])`, the equations have `D[0]`: a conversion"),
    (SUM, f"{LOOP} B[i] += A[i][k] * D[i];", "C has `D[0]`, the equations have `D[1]`: another element"),
    (SUM, f"{LOOP} if (k > 0) B[i] += A[i][k] * D[k];", "C lacks the term `A[0,0] * D[0]`"),
    (SUM, f"B[i] = D[i]; {LOOP[10:]} B[i] += A[i][k] * D[k];", "C also has the term `D[0]`"),
]


@pytest.mark.parametrize(("equation", "body", "note"), thinned(DIFFERENT, 3))
def test_the_smallest_parts_are_shown(equation: str, body: str, note: str) -> None:
    assert note in difference(equation, body)


INPUTS = {number: ("input", name, ()) for number, name in enumerate("abcd")}


@pytest.mark.parametrize(
    ("terms", "cause"),
    [
        ({4: ("+", (0, 1)), 5: ("+", (2, 3))}, DifferenceCause.OPERAND),
        ({4: ("+", (0, 1)), 5: ("+", (4, 2)), 6: ("+", (1, 2)), 7: ("+", (0, 6))}, DifferenceCause.ORDER),
        ({4: ("*", (0, 1)), 5: ("*", (4, 4)), 6: ("*", (0, 4)), 7: ("*", (6, 0))}, DifferenceCause.OPERAND),
        ({4: ("+", (0, 1)), 5: ("+", (4, 2)), 6: ("+", (0, 3)), 7: ("+", (6, 3))}, DifferenceCause.TERMS),
    ],
)
def test_operands_are_compared_as_multisets(terms: dict[int, object], cause: DifferenceCause) -> None:
    ours, theirs = (4, 5) if len(terms) == 2 else (5, 7)
    found = ValueTerms({**INPUTS, **terms}, {}).difference(ours, theirs)
    assert found is not None
    assert found.cause is cause


def test_values_that_double_at_every_level_end_soon() -> None:
    terms: dict[int, object] = {**INPUTS, **{10 + n: ("+", (9 + n, 9 + n)) for n in range(1, 60)}, 10: ("+", (0, 1))}
    assert ValueTerms(terms, {}).difference(69, 68) is None


def test_long_values_are_not_shown() -> None:
    deep: dict[int, object] = {**INPUTS, 10: ("-", (0, 1)), **{10 + n: ("f", (9 + n, 0)) for n in range(1, 3000)}}
    assert ValueTerms(deep, {}).difference(3009, 0) is None
