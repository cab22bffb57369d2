"""Trees of partial sums in a small array, and other sums whose parts lie in cells."""

from collections import Counter

import pytest

from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.concrete_instances import points
from alphaz.equivalence.reduction_tree_cells import with_cells_apart
from alphaz.scop.c_model import CKernel
from tests.equivalence.asking import asked
from tests.equivalence.test_beyond_tiles import SUM
from tests.scop.reading import kernel
from tests.thinning import thinned

pytestmark = pytest.mark.slow

STEPS = """\
    double w[4];
    for (int t = 0; t < 4; t++) w[t] = 0;
    for (long q = 0; q < N; q += 4)
        for (int t = 0; t < 4; t++)
            if (q + t < N) w[t] += A[q + t];
    for (int t = 0; t < 2; t++) w[t] += w[t + 2];
    w[0] += w[1];
"""
TREE = f"double s(long N, const double *A)\n{{\n{STEPS}    return w[0];\n}}\n".replace("A", "x")
BLOCKS = """\
double s(long N, const double *x)
{
    double part[2], s = 0;
    for (int b = 0; b < 2; b++) {
        double w[4];
        for (int t = 0; t < 4; t++) {
            w[t] = 0;
            for (long i = b * 4 + t; i < N; i += 8) w[t] += x[i];
        }
        for (int d = 2; d > 0; d /= 2)
            for (int t = 0; t < d; t++) w[t] += w[t + d];
        part[b] = w[0];
    }
    for (int b = 0; b < 2; b++) s += part[b];
    return s;
}
"""
REST = """\
double s(long N, const double *x)
{
    double s0 = 0, s1 = 0;
    for (long i = 0; i + 1 < N; i += 2) { s0 += x[i]; s1 += x[i + 1]; }
    if (N % 2 == 1) s0 += x[N - 1];
    return s0 + s1;
}
"""
TWO = (
    "affine s {N | N>=0}\ninput\n double x, y {i | 0<=i<N};\noutput\n double a, b;\nlet\n"
    " a = reduce(+, [i], x[i] * y[i]);\n b = reduce(+, [i], x[i]);\n.\n"
)
THREADS = """\
void s(int n, const double *x, const double *y, double *a, double *b) {
  *a = 0; *b = 0;
  #pragma omp parallel
  {
    double p = 0, q = 0;
    #pragma omp for nowait
    for (int i = 0; i < n; i++) { p += x[i] * y[i]; q += x[i]; }
    #pragma omp critical
    { *a += p; *b += q; }
  }
}
"""
RING = (
    "affine s {N | N>=3}\ninput\n double x {i | 0<=i<N};\noutput\n double y {i | 0<=i<N};\nlet\n"
    " y[i] = case {| i<2} : x[i]; {| i>=2} : y[i-1] * 0.5 + y[i-2] * 0.25 + x[i]; esac;\n.\n"
)
NEGATIVE = """\
void s(int n, const double *x, double *y) {
  double b[3];
  for (int i = -n; i < 0; i++) {
    double v = x[i + n];
    if (i + n >= 2) v = b[((i - 1) % 3 + 3) % 3] * 0.5 + b[((i - 2) % 3 + 3) % 3] * 0.25 + x[i + n];
    b[(i % 3 + 3) % 3] = v; y[i + n] = v;
  }
}
"""
RIGHT = {
    "tree": (SUM, TREE),
    "blocks": (SUM, BLOCKS),
    "rest": (SUM, REST),
    "threads": (TWO, THREADS),
    "ring": (RING, NEGATIVE),
}
WRONG = [
    ("tree", "w[t + 2]", "w[t + 1]"),
    ("tree", "w[t] = 0", "w[t] = 1"),
    ("tree", "w[0] += w[1];", ""),
    ("tree", "q += 4", "q += 3"),
    ("blocks", "i += 8", "i += 4"),
    ("rest", "N % 2 == 1", "N % 2 == 0"),
    ("threads", "*a += p", "*a += q"),
    ("ring", "(i - 2) % 3 + 3", "(i - 2) % 3 + 2"),
]


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_proved(name: str) -> None:
    assert asked(*RIGHT[name]).is_proved


@pytest.mark.parametrize(("name", "old", "new"), thinned(WRONG, 4))
def test_what_is_wrong_is_not(name: str, old: str, new: str) -> None:
    program, text = RIGHT[name]
    assert old in text
    assert not asked(program, text.replace(old, new)).is_proved


def test_a_tree_changes_the_order_of_the_sum() -> None:
    assert not asked(SUM, TREE, Laws(is_exact=True)).is_proved


def test_statements_of_one_cell_have_the_instances_of_the_text() -> None:
    whole = kernel(STEPS)
    apart = with_cells_apart(whole)
    assert apart is not None
    assert len(apart.statements) == 4 + 4 + 2 + 1
    assert [_instances(apart, n) for n in range(1, 7)] == [_instances(whole, n) for n in range(1, 7)]


def _instances(tree: CKernel, n: int) -> Counter[tuple[int, tuple[int, ...]]]:
    """The instances at N = n, by the place of their statement in the text."""
    return Counter(
        (statement.span.start, point) for statement in tree.statements for point in points(statement, {"N": n})
    )
