"""Compiled systems as Python functions: on C written here, so that only this room is tested."""

from inspect import Parameter, signature
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected
from alphaz.run.externals import external_functions
from alphaz.run.kernel import Kernel, compile_kernel
from tests.model.programs import checked

PROGRAM = """
affine sums {N | N>0} input float A {i | 1<=i<=N}; int k; output float B {i | 1<=i<=N}; long count;
let B[i] = A[i] * k; count = [N]; .
"""
C = """
#include <stdint.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads(void) { return 1; }
#endif
int sums_status(int64_t N, const float *restrict A, const int *restrict k, float *restrict B, long *restrict count)
{
    if (N == 13) return 3;
    #pragma omp parallel for
    for (int64_t i = 0; i < N; i++) B[i] = A[i] * *k;
    *count = omp_get_max_threads();
    return 0;
}
"""


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return compile_kernel(Sources({"sums.c": C}), checked(PROGRAM), "sums")


def test_several_outputs_are_a_dict(kernel: Kernel) -> None:
    a = np.array([1, 2, 3], dtype=np.float32)
    got = kernel(N=3, A=a, k=-2)
    assert isinstance(got, dict)
    assert got["B"].tolist() == [-2, -4, -6]
    assert got["B"].dtype == np.float32


def test_a_size_that_an_array_says_may_be_left_out(kernel: Kernel) -> None:
    got = kernel(A=np.array([1, 2, 3], dtype=np.float32), k=-2)
    assert isinstance(got, dict)
    assert got["B"].tolist() == [-2, -4, -6]


def test_letters_have_a_length() -> None:
    text = "affine codes {N | N>0} input char c {i | 0<=i<N}; output int y {i | 0<=i<N}; let y[i] = c[i]; ."
    c = "int codes_status(long N, const signed char *c, int *y) { for (long i = 0; i < N; i++) y[i] = c[i]; return 0; }"
    got = compile_kernel(Sources({"codes.c": c}), checked(text), "codes")(c="abc")
    assert list(got) == [97, 98, 99]


def test_one_output_is_an_array() -> None:
    text = "affine twice {|} input double x; output double y; let y = 2 * x; ."
    c = "int twice_status(const double *x, double *y) { *y = 2 * *x; return 0; }\n"
    got = compile_kernel(Sources({"twice.c": c}), checked(text), "twice")(x=1.25)
    assert isinstance(got, np.ndarray)
    assert got.shape == ()
    assert got == 2.5


def test_the_number_of_threads(kernel: Kernel) -> None:
    a = np.ones(3, dtype=np.float32)
    for threads in (1, 2, 3):
        run = kernel.run({"N": 3}, {"A": a, "k": 1}, threads)
        assert run.outputs["count"] == threads
        assert run.seconds >= 0
    with pytest.raises(Rejected):
        kernel.run({"N": 3}, {"A": a, "k": 1}, 0)


def test_a_strided_or_narrower_array_is_converted(kernel: Kernel) -> None:
    got = kernel(N=3, A=np.arange(6)[::2], k=np.int8(10))
    assert isinstance(got, dict)
    assert got["B"].tolist() == [0, 20, 40]


@pytest.mark.parametrize(
    ("values", "code", "said"),
    [
        ({"N": 2, "k": 1}, "AZ807", "`A` is not given"),
        ({"N": 2, "k": 1, "A": [1, 2, 3]}, "AZ807", "shape (3,)"),
        ({"N": 2, "k": 1, "A": [0.1, 0.2]}, "AZ807", "float64 values that float cannot hold"),
        ({"N": 2, "k": 1, "A": [1, 2], "C": 1}, "AZ807", "`C` is no input"),
        ({"N": 0, "k": 1, "A": []}, "AZ807", "outside the context"),
        ({"k": 1, "A": 1}, "AZ807", "`N` has no value"),
        ({"k": 1, "A": []}, "AZ807", "outside the context"),
        ({"N": 13, "k": 1, "A": [0] * 13}, "AZ805", "not enough memory"),
    ],
)
def test_what_does_not_fit(kernel: Kernel, values: dict, code: str, said: str) -> None:
    with pytest.raises(Rejected) as caught:
        kernel(**values)
    assert [d.rule.code for d in caught.value.diagnostics] == [code]
    assert said in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("values", "needed"),
    [
        ({"N": 2, "k": 1, "A": [1, 2, 3]}, "expected an array of shape (2,) of float32 for N = 2, whose first"),
        ({"k": 1, "A": [[1, 2, 3]]}, "give `N` by name, or `A` of shape (N,)"),
        ({"N": None, "k": 1, "A": 1}, "give `N` by name, or `A` of shape (N,)"),
    ],
)
def test_the_shape_that_is_needed(kernel: Kernel, values: dict, needed: str) -> None:
    with pytest.raises(Rejected) as caught:
        kernel(**values)
    assert needed in (caught.value.diagnostics[0].help or "")
    assert needed in str(caught.value)


def test_a_kernel_has_a_signature_and_a_text_of_help(kernel: Kernel) -> None:
    result = signature(kernel)
    assert list(result.parameters) == ["N", "A", "k", "threads"]
    assert {value.kind for value in result.parameters.values()} == {Parameter.KEYWORD_ONLY}
    assert result.bind(A=[1], k=1).arguments == {"A": [1], "k": 1}
    assert "A: an array of shape (N,), float32\nk: a number, int32" in (kernel.__doc__ or "")
    assert "Returns B: an array of shape (N,), float32" in (kernel.__doc__ or "")
    assert "system" in signature(Kernel).parameters
    assert (Kernel.__doc__ or "").startswith("Calls the function")


def test_code_that_does_not_compile_quotes_the_compiler() -> None:
    with pytest.raises(Rejected) as caught:
        compile_kernel(Sources({"sums.c": "int sums_status(void) { return nothing; }\n"}), checked(PROGRAM), "sums")
    (finding,) = caught.value.diagnostics
    assert finding.rule.code == "AZ803"
    assert any("nothing" in note for note in finding.notes)


EXTERNAL = """
double f(double, int);
affine p {|} input double x; output double y; let y = f(x, 3); .
"""
USES_HEADER = '#include "external_functions.h"\nint p_status(const double *x, double *y) { *y = f(*x, 3); return 0; }\n'


def test_the_functions_of_the_user(tmp_path: Path) -> None:
    program = checked(EXTERNAL)
    (tmp_path / "external_functions.h").write_text("static double f(double x, int n) { return x * n + 0.5; }\n")
    sources = Sources({"p.c": USES_HEADER}, {"external_functions.h": "#error the stub\n"})
    assert compile_kernel(sources, program, "p", include=tmp_path)(x=2.0) == 6.5
    assert external_functions(program.program, tmp_path)["f"](2.0, 3) == 6.5
    assert external_functions(program.program, tmp_path / "elsewhere") == {}
    with pytest.raises(Rejected) as caught:
        compile_kernel(sources, program, "p")
    assert "the stub" in "".join(caught.value.diagnostics[0].notes)


def test_a_header_that_does_not_define_the_functions(tmp_path: Path) -> None:
    (tmp_path / "external_functions.h").write_text("static double g(double x) { return x; }\n")
    with pytest.raises(Rejected) as caught:
        external_functions(checked(EXTERNAL).program, tmp_path)
    assert caught.value.diagnostics[0].rule.code == "AZ803"
