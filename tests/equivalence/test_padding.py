"""Sums over arrays that are padded with zeros: the law `padding`, which is exact for integers."""

import pytest

from alphaz.equivalence.claim_inference import PLAIN, Laws
from tests.equivalence.asking import ALL_LAWS, asked, verdict
from tests.thinning import thinned

PADDED = Laws(frozenset({"padding"}))
OTHER_LAWS = Laws(frozenset({"distributivity", "associativity", "reciprocal"}))


def filtered(type_: str = "double", operator: str = "+") -> str:
    return (
        f"affine s {{N | N>=2}}\ninput\n {type_} x {{i | 0<=i<N}};\n {type_} w {{k | 0<=k<3}};\n"
        f"output\n {type_} y {{i | 0<=i<N}};\nlet\n"
        f" y[i] = reduce({operator}, [k], {{| 0<=k<3 && 0<=i+k-1<N}} : w[k] * x[i+k-1]);\n.\n"
    )


def filter_(type_: str = "double", last: str = "p[N + 1] = 0;", added: str = "s += w[k] * p[i + k];") -> str:
    return f"""void s(long N, const {type_} *x, const {type_} *w, {type_} *y) {{
    {type_} p[N + 2];
    p[0] = 0; {last}
    for (long i = 0; i < N; i++) p[i + 1] = x[i];
    for (long i = 0; i < N; i++) {{
        {type_} s = 0;
        for (long k = 0; k < 3; k++) {added}
        y[i] = s;
    }}
}}"""


DOT = (
    "affine s {N | N>=1}\ninput\n double x, y {i | 0<=i<N};\noutput\n double a;\n"
    "let\n a = reduce(+, [i], x[i] * y[i]);\n.\n"
)
IN_LANES = """double s(long N, const double *x, const double *y) {
    double s0 = 0, s1 = 0, a[2], b[2];
    for (long o = 0; o < N; o += 2) {
        for (long i = 0; i < 2; i++) { a[i] = o + i < N ? x[o + i] : 0; b[i] = o + i < N ? y[o + i] : 0; }
        s0 += a[0] * b[0]; s1 += a[1] * b[1];
    }
    return s0 + s1;
}"""
GEMM = """void gemm(int NI, int NJ, int NK, const double *alpha, const double *beta, const double C0[NI][NJ],
          const double A[NI][NK], const double B[NK][NJ], double C[NI][NJ])
{
    #pragma omp parallel for collapse(2)
    for (int by = 0; by < NI; by += 4)
        for (int bx = 0; bx < NJ; bx += 4) {
            double As[4][4], Bs[4][4], s[4][4];
            for (int ty = 0; ty < 4; ty++)
                for (int tx = 0; tx < 4; tx++)
                    s[ty][tx] = 0;
            for (int k0 = 0; k0 < NK; k0 += 4) {
                for (int ty = 0; ty < 4; ty++)
                    for (int tx = 0; tx < 4; tx++) {
                        As[ty][tx] = by + ty < NI && k0 + tx < NK ? A[by + ty][k0 + tx] : 0;
                        Bs[ty][tx] = k0 + ty < NK && bx + tx < NJ ? B[k0 + ty][bx + tx] : 0;
                    }
                for (int ty = 0; ty < 4; ty++)
                    for (int tx = 0; tx < 4; tx++)
                        for (int k = 0; k < 4; k++)
                            s[ty][tx] += As[ty][k] * Bs[k][tx];
            }
            for (int ty = 0; ty < 4; ty++)
                for (int tx = 0; tx < 4; tx++)
                    if (by + ty < NI && bx + tx < NJ)
                        C[by + ty][bx + tx] = *beta * C0[by + ty][bx + tx] + *alpha * s[ty][tx];
        }
}"""


@pytest.mark.slow
def test_tiles_of_a_product_are_padded() -> None:
    found = verdict("gemm", GEMM, laws=PADDED)
    assert found.is_proved
    assert "numbers obey `padding`, as real numbers do" in found.assumed


def test_a_border_is_padded() -> None:
    assert asked(filtered(), filter_(), PADDED).is_proved
    for laws in (OTHER_LAWS, Laws(PADDED.allowed, is_exact=True)):
        assert not asked(filtered(), filter_(), laws).is_proved


@pytest.mark.slow
def test_lanes_are_padded() -> None:
    assert asked(DOT, IN_LANES, PADDED).is_proved


@pytest.mark.parametrize(
    ("old", "new"),
    thinned(
        [
            ("s0 = 0", "s0 = 1"),
            ("x[o + i] : 0", "x[o] : 1"),
            ("a[i] = o + i < N ?", "a[i] = o + i < N - 1 ?"),
            ("b[i] = o + i < N ?", "b[i] = o + i <= N ?"),
            ("o < N; o", "o < N - 1; o"),
            ("s1 += a[1] * b[1]", "s1 += a[1] + b[1]"),
        ],
        3,
    ),
)
def test_wrong_padding_is_not_proved(old: str, new: str) -> None:
    assert old in IN_LANES
    assert not asked(DOT, IN_LANES.replace(old, new), PADDED).is_proved


@pytest.mark.parametrize("type_", ["int", "unsigned char"])
def test_integers_need_no_law(type_: str) -> None:
    assert asked(filtered(type_), filter_(type_), PLAIN).is_proved
    assert not asked(filtered(type_), filter_(type_, "p[N + 1] = 1;"), PLAIN).is_proved


@pytest.mark.parametrize(
    ("operator", "added"),
    [
        ("max", "s = k == 0 ? w[k] * p[i + k] : fmax(s, w[k] * p[i + k]);"),
        ("*", "s = k == 0 ? 1 : s * (w[k] * p[i + k]);"),
    ],
)
def test_other_operators_have_no_padding(operator: str, added: str) -> None:
    text = f"#include <math.h>\n{filter_(added=added)}"
    assert not asked(filtered(operator=operator), text, ALL_LAWS).is_proved


@pytest.mark.parametrize("last", ["", "p[N + 1] = 1;"])
def test_an_end_that_is_not_padded(last: str) -> None:
    assert not asked(filtered(), filter_(last=last), PADDED).is_proved


def test_zero_times_what_nothing_has_written_is_no_padding() -> None:
    text = filter_(added="s += w[k] * p[i + k] + 0 * q[k];").replace("double s = 0;", "double s = 0, q[3];")
    assert not asked(filtered(), text, PADDED).is_proved
    assert asked(filtered(), text.replace("q[k]", "w[k]"), PADDED).is_proved
