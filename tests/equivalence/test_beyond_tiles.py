"""Tiles that are larger than the usual runs of the model: claims come from runs with a second tile."""

import pytest

from alphaz.equivalence.affine_fitting import informative
from tests.equivalence.asking import asked
from tests.thinning import thinned

SUM = "affine s {N | N>=1}\ninput\n double x {i | 0<=i<N};\noutput\n double s;\nlet\n s = reduce(+, [i], x[i]);\n.\n"
SCALED = (
    "affine s {N | N>=1}\ninput\n double a;\n double x, y {i | 0<=i<N};\noutput\n double z {i | 0<=i<N};\nlet\n"
    " z[i] = a * x[i] + y[i];\n.\n"
)
TRANSPOSED = (
    "affine s {N,M | N>=1 && M>=1}\ninput\n double A {i,j | 0<=i<N && 0<=j<M};\noutput\n"
    " double B {j,i | 0<=i<N && 0<=j<M};\nlet\n B[j,i] = A[i,j];\n.\n"
)
RELATIVE = """\
void s(long N, const double x[N], double *s)
{
    *s = 0;
    for (int i = 0; i < N; i += 32)
        for (int c = 0; c <= (31 < N - i - 1 ? 31 : N - i - 1); c++)
            *s += x[i + c];
}
"""
BUFFER = """\
void s(int n, const double *a, const double *x, const double *y, double *z)
{
    double t[64];
    for (int b = 0; b < n; b += 64) {
        int m = n - b < 64 ? n - b : 64;
        for (int i = 0; i < m; i++) t[i] = *a * x[b + i];
        for (int i = 0; i < m; i++) z[b + i] = t[i] + y[b + i];
    }
}
"""
NUMBERED = """\
void s(int N, int M, const double A[N][M], double B[M][N])
{
    #pragma omp parallel for collapse(2)
    for (int by = 0; by < (N + 7) / 8; by++)
        for (int bx = 0; bx < (M + 31) / 32; bx++) {
            double t[8][33];
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 32; x++)
                    if (by * 8 + y < N && bx * 32 + x < M) t[y][x] = A[by * 8 + y][bx * 32 + x];
            for (int x = 0; x < 32; x++)
                for (int y = 0; y < 8; y++)
                    if (bx * 32 + x < M && by * 8 + y < N) B[bx * 32 + x][by * 8 + y] = t[y][x];
        }
}
"""
RIGHT = {"relative": (SUM, RELATIVE), "buffer": (SCALED, BUFFER), "numbered": (TRANSPOSED, NUMBERED)}
WRONG = [
    ("relative", "(31 < N - i - 1 ? 31", "(30 < N - i - 1 ? 30"),
    ("relative", "(31 < N - i - 1 ? 31", "(32 < N - i - 1 ? 32"),
    ("relative", "x[i + c]", "x[c]"),
    ("buffer", "n - b < 64 ? n - b : 64", "n - b < 64 ? n - b : 63"),
    ("buffer", "b += 64", "b += 65"),
    ("numbered", "(M + 31) / 32", "M / 32"),
]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_proved(name: str) -> None:
    assert asked(*RIGHT[name]).is_proved


@pytest.mark.parametrize(("name", "old", "new"), thinned(WRONG))
def test_what_is_wrong_in_the_second_tile_is_not(name: str, old: str, new: str) -> None:
    program, text = RIGHT[name]
    assert old in text
    assert not asked(program, text.replace(old, new)).is_proved


def test_samples_of_a_second_tile_are_chosen() -> None:
    instances = [{"b": at // 500, "l": at % 500} for at in range(1_000)]
    assert {instances[at]["b"] for at in informative(("b", "l"), instances)} == {0, 1}
