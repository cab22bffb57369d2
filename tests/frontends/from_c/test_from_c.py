"""C as equations: which values there are, what they are called, and what is proved of them."""

from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.driver.equations_from_c import ImportedOrder, system_name
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.frontends.from_c.equations import equations, imported, refusal
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SUMS = """void sums(long N, const double A[N][N], double y[N]) {
    for (long i = 0; i < N; i++) {
        y[i] = 0.0;
        for (long j = 0; j < N; j++)
            y[i] += A[i][j];
    }
}"""

# C, and the equations that it becomes.
RIGHT = {
    "a sum from zero on is a reduction": (SUMS, ["y[i] = reduce(+, [j], {| 0<=j<N}: A[i,j])"]),
    "a sum over two loops": (
        "void f(long N, const double A[N][N], double *t) { double s = 0.0; for (long i = 0; i < N; i++)"
        " for (long j = 0; j < i; j++) s += A[i][j]; *t = s; }",
        ["s[] = reduce(+, [i,j], {| 0<=j<i<N}: A[i,j])", "t[] = s"],
    ),
    "loops of one iteration have no index": (
        "void f(long n, const double a[n], double s[n]) { for (long i = 0; i < n; i++) for (int r = 4; r <= 4; r++) {"
        " for (long q = i + 3; q > i + 2; q--) { double t = a[q - 3]; s[i] = t * q; } s[i] += a[0] + r; } }",
        ["t[i] = a[i]", "s_1[i] = t[i] * [i+3]", "s[i] = s_1[i] + (a[0] + 4.0)"],
    ),
    "the head of a loop replaces a value that nothing reads": (
        "void f(long n, const double a[n], double s[n]) { int i = 7; double t = 0.5; for (i = 0; i < n; i++)"
        " s[i] = a[i] + t; }",
        ["s[i] = a[i] + 0.5"],
    ),
    "a loop in which not all is done once keeps its index": (
        "void f(long n, const double a[n], double s[n]) { for (long i = 0; i < n; i++) for (long r = 0; r < n; r++) {"
        " if (r == 0) s[i] = a[i]; s[i] = s[i] + a[r]; } }",
        [
            "s_1[i,r] = a[i]",
            "s_2[i,r] = case {| r>=1}: s_2[i,r-1] + a[r]; {| r==0}: s_1[i,0] + a[r]; esac", "s[i] = s_2[i,n-1]",
        ],
    ),
    "a difference adds what is negative": (
        "void f(long N, const int x[N], int *t) { int s = 0; for (long i = 0; i < N; i++) s -= x[i]; *t = s; }",
        ["s[] = reduce(+, [i], {| 0<=i<N}: -x[i])", "t[] = s"],
    ),
    "the least and the greatest": (
        "void f(long N, const int x[N], const double z[N], int *a, double *b) { int m = INT_MAX; double q = -INFINITY;"
        " for (long i = 0; i < N; i++) { m = x[i] < m ? x[i] : m; q = fmax(q, z[i]); } *a = m; *b = q; }",
        ["m[] = reduce(min, [i], {| 0<=i<N}: x[i])", "q[] = reduce(max, [i], {| 0<=i<N}: z[i])", "a[] = m", "b[] = q"],
    ),
    "a sum that is read on its way is none": (
        "void f(long N, const double x[N], double y[N]) { double s = 0.0; for (long i = 0; i < N; i++) { s += x[i];"
        " y[i] = s; } }",
        ["s_1[] = 0.0", "s_2[i] = case {| i==0}: s_1 + x[i]; {| i>=1}: s_2[i-1] + x[i]; esac", "y[i] = s_2[i]"],
    ),
    "a sum that starts from a value is added to it": (
        "void f(long N, const double x[N], double *t) { double s = 1.0; for (long i = 0; i < N; i++) s += x[i];"
        " *t = s; }",
        ["s_sum[] = reduce(+, [i], {| 0<=i<N}: x[i])", "s[] = 1.0 + s_sum", "t[] = s"],
    ),
    "a product in place": (
        "void f(int n, double beta, double C[n][n], double A[n][n], double B[n][n]) { int i, j, k;"
        " for (i = 0; i < n; i++) { for (j = 0; j < n; j++) C[i][j] *= beta; for (k = 0; k < n; k++)"
        " for (j = 0; j < n; j++) C[i][j] += A[i][k] * B[k][j]; } }",
        ["C_sum[i,j] = reduce(+, [k], {| 0<=k<n}: A[i,k] * B[k,j])", "C[i,j] = C_in[i,j] * beta + C_sum[i,j]"],
    ),
    "what is subtracted": (
        "void f(long N, const double A[N], double x[N][N], double y[N]) { for (long i = 0; i < N; i++) { y[i] = A[i];"
        " for (long j = 0; j <= i; j++) y[i] -= x[i][j] * x[j][i]; } }",
        ["y_sum[i] = reduce(+, [j], {| 0<=j<=i}: x[i,j] * x[j,i])", "y[i] = A[i] - y_sum[i]"],
    ),
    "a sum onto what the array held at first is a recurrence": (
        "void f(long N, const double A[N][N], double y[N]) { for (long i = 0; i < N; i++) for (long j = 0; j < N; j++)"
        " y[i] += A[i][j]; }",
        ["y_1[i,j] = case {| j>=1}: y_1[i,j-1] + A[i,j]; {| j==0}: y_in[i] + A[i,j]; esac", "y[i] = y_1[i,N-1]"],
    ),
    "a start that is read before stays, and is said once more": (
        "void f(long N, const double A[N][N], const double b[N], double B[N]) {"
        " for (long i = 0; i < N; i++) B[i] = b[i]; for (long i = 0; i < N; i++) for (long k = i + 1; k < N; k++)"
        " B[i] += A[i][k] * B[k]; }",
        ["B_1[i] = b[i]", "B_2_sum[i] = reduce(+, [k], {| i<k<N}: A[i,k] * B_1[k])", "B_2[i] = b[i] + B_2_sum[i]",
         "B[i] = case {| i<N-1}: B_2[i]; {| i==N-1}: B_1[N-1]; esac"],
    ),
    "a sum that starts from what is computed is a recurrence": (
        "void f(long N, const double x[N], double y[N]) { y[0] = x[0]; for (long i = 1; i < N; i++) { y[i] = y[i-1];"
        " for (long j = 0; j < N; j++) y[i] += x[j]; } }",
        ["y_1[] = x[0]", "y_2[i] = case {| i==1}: y_1; {| i>=2}: y_3[i-1,N-1]; esac",
         "y_3[i,j] = case {| j==0}: y_2[i] + x[j]; {| j>=1}: y_3[i,j-1] + x[j]; esac",
         "y[i] = case {| i==0}: y_1; {| i>=1}: y_3[i,N-1]; esac"],
    ),
    "a start that is read by somebody else stays": (
        "void f(long N, const double x[N], double y[N], double *t) { double s = 0.0; for (long i = 0; i < N; i++)"
        " { y[i] = s; s += x[i]; } *t = s; }",
        ["s_1[] = 0.0", "y[i] = case {| i==0}: s_1; {| i>=1}: s_2[i-1]; esac",
         "s_2[i] = case {| i==0}: s_1 + x[i]; {| i>=1}: s_2[i-1] + x[i]; esac", "t[] = s_2[N-1]"],
    ),
    "an empty sum is its start": (
        "void f(long N, const double x[N], double y[N]) { for (long i = 0; i < N; i++) { double s = 0.0;"
        " for (long j = 0; j < i; j++) s += x[j]; y[i] = s; } }",
        ["s[i] = reduce(+, [j], {| 0<=j<i}: x[j])", "y[i] = s[i]"],
    ),
    "downwards": (
        "void f(long N, const double x[N], double y[N]) { y[N-1] = x[N-1]; for (long i = N-2; i >= 0; i--)"
        " y[i] = y[i+1] + x[i]; }",
        ["y_1[] = x[N-1]", "y_2[i] = case {| i==N-2}: y_1 + x[i]; {| i<N-2}: y_2[i+1] + x[i]; esac",
         "y[i] = case {| i==N-1}: y_1; {| i<N-1}: y_2[i]; esac"],
    ),
    "in place": (
        "void f(long N, double A[N][N]) { for (long i = 1; i < N; i++) A[i][i] = 2.0 * A[i][i]; }",
        ["A_1[i] = 2.0 * A_in[i,i]",
         "A[i,j] = case {| i==j && i>=1}: A_1[i]; {| i<j} || {| j<i} || {| i==0 && j==0}: A_in[i,j]; esac"],
    ),
    "a triangle": (
        "void f(long N, const double A[N][N], double B[N][N]) { for (long i = 0; i < N; i++)"
        " for (long j = 0; j <= i; j++) B[i][j] = A[j][i]; }",
        ["B[i,j] = A[j,i]"],
    ),
    "two cells in turn": (
        "void f(long N, const double x[N], double y[N]) { double b[2]; b[0] = 0.0; for (long i = 0; i < N; i++)"
        " { b[(i+1)%2] = b[i%2] + x[i]; y[i] = b[(i+1)%2]; } }",
        ["b_1[] = 0.0", "b_2[i] = case {| i==0}: b_1 + x[i]; {| i>=1}: b_2[i-1] + x[i]; esac", "y[i] = b_2[i]"],
    ),
    "every second": (
        "void f(long N, const double x[N], double y[N]) { for (long i = 0; i < N; i += 2) y[i] = x[i];"
        " for (long i = 1; i < N; i += 2) y[i] = -x[i]; }",
        ["y_1[i] = x[i]", "y_2[i] = -x[i]", "y[i] = case {| i%2==1}: y_2[i]; {| i%2==0}: y_1[i]; esac"],
    ),
    "a choice by data": (
        "void f(long N, const int x[N], int y[N]) { for (long i = 0; i < N; i++) { if (x[i] == 3) y[i] = 1;"
        " else y[i] = x[i]; } }",
        ["y[i] = if x[i] == 3 then 1 else x[i]"],
    ),
    "a number by value": (
        "void f(long N, double alpha, const double x[N], double y[N]) { for (long i = 0; i < N; i++)"
        " y[i] = alpha * x[i]; }",
        ["y[i] = alpha * x[i]"],
    ),
    "what nobody reads is left out": (
        "void f(long N, const double x[N], double y[N]) { double t = 0; for (long i = 0; i < N; i++) { t = x[i];"
        " y[i] = 2.0 * x[i]; } }",
        ["y[i] = 2.0 * x[i]"],
    ),
    "words of the language": (
        "void f(long over, const double input[over], double local[over]) { for (long use = 0; use < over; use++)"
        " local[use] = -input[use]; }",
        ["^local[^use] = -^input[^use]"],
    ),
    "constants": (
        "void f(long N, const int k[N], double y[N]) { for (long i = 0; i < N; i++) y[i] = 1e-3 * k[i] - 5 + i; }",
        ["y[i] = 0.001 * k[i] - 5.0 + [i]"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", thinned(RIGHT, 4))
def test_equations(why: str) -> None:
    text, wanted = RIGHT[why]
    assert equations(text) == wanted


JACOBI = """void jacobi(long N, long T, const double A[N], double B[N]) {
    double C[N];
    for (long i = 0; i < N; i++) { B[i] = A[i]; C[i] = A[i]; }
    for (long t = 0; t < T; t++) {
        for (long i = 1; i < N - 1; i++) C[i] = B[i-1] + B[i] + B[i+1];
        for (long i = 1; i < N - 1; i++) B[i] = C[i-1] + C[i] + C[i+1];
    }
}"""


def test_an_array_as_a_whole_has_a_name_where_neighbours_come_from_several_statements() -> None:
    result = equations(JACOBI, ImportedOrder(assumed=("N>=3", "T>=0")))
    assert "C_2[t,i] = B_2[t,i-1] + B_2[t,i] + B_2[t,i+1]" in result
    whole = next(item for item in result if item.startswith("B_2[t,i] = case"))
    assert all(source in whole for source in ("B_1[i]", "B_2[t-1,i]", "B_3[t-1,i]"))


def test_iterations_are_counted_by_twos_where_half_of_a_parameter_is_read() -> None:
    text = (
        "void f(long N, long T, const double A[N], double B[N]) { for (long i = 0; i < N; i++) B[i] = A[i];"
        " for (long t = 0; t < T / 2; t++) for (long i = 0; i < N; i++) B[i] = 2.0 * B[i]; }"
    )
    result = equations(text, ImportedOrder(assumed=("T>=0",)))
    assert result[1] == "B_2[t,i] = case {| t>=2}: 2.0 * B_2[t-2,i]; {| t==0}: 2.0 * B_1[i]; esac"
    assert "{| T>=2 && T%2==0}: B_2[T-2,i]" in result[2]


@pytest.mark.parametrize(
    "text",
    thinned(
        [
            "double a[3][9]; void f(void) { for (int t = 0; t < 7; t++) for (int i = 1; i < 8; i++)"
            " a[(t + 1) % 3][i] = a[t % 3][i - 1] + a[(t + 2) % 3][i + 1]; }",
            "void f(int T, int n, int a[2][n]) { for (int t = 0; t < T; t++) for (int i = 0; i < n; i++)"
            " a[(t + 1) % 2][i] = a[t % 2][i] + 1; }",
            "void f(int n, const double b[2], double y[n]) { for (int i = 0; i < n; i++) y[i] = b[i % 2]; }",
        ],
        3,
    ),
    ids=["three rows in turn", "a row that depends on a parameter", "a first value"],
)
def test_cells_are_told_by_remainders(text: str) -> None:
    assert imported(text).is_proved


def test_parameters_without_meaning_are_left_out() -> None:
    text = "void f(long N, long K, const double x[N], double *y) { *y = x[K]; }"
    made = imported(text)
    assert made.is_proved
    assert "{N,K | 0<=K<N}" in made.program
    assert made.left_out is not None
    assert made.left_out.contains({"N": 3, "K": 3})
    assert not made.left_out.contains({"N": 3, "K": 2})


def test_what_is_read_before_it_is_written_is_left_out_too() -> None:
    text = """void f(long N, long K, const double x[N], double y[N]) {
        double t[N];
        for (long i = 0; i < K; i++) t[i] = x[i];
        for (long i = 0; i < N; i++) y[i] = t[i];
    }"""
    made = imported(text)
    assert made.is_proved
    assert "N==K" in made.program


def test_pointers_have_the_extents_that_are_said() -> None:
    text = "void f(long N, long M, const double *A, double *y) { for (long i = 0; i < N; i++) y[i] = A[i * M + 1]; }"
    assert equations(text) == ["y[i] = A[i,1]"]
    order = ImportedOrder(shapes={"A": ("N", "M"), "y": ("N",)})
    assert equations(text, order) == ["y[i] = A[i,1]"]
    assert refusal(text, ImportedOrder(shapes={"A": ("N * M",)})) == ("AZ832", "`N * M` is not an affine extent of `A`")
    assert refusal(text, ImportedOrder(shapes={"A": ("N +",)})) == ("AZ832", "`N +` is not an affine extent of `A`")


@pytest.mark.parametrize(
    ("subscript", "extents"),
    [
        ("i * M + j", ("N", "M")),
        ("(i + 1) * (M + 2) + j + 2", ("N+1", "M+2")),
        ("2 * i * M + j", ("2N-1", "M")),
        ("(i * M + j) * 3 + 2", ("N", "M", "3")),
        ("j * N + i", ("M", "N")),
        ("N - 1 - i", ("N",)),
        ("i + j", ("M+N-1",)),
        ("(i * M + j) * M + M - 1", ("N", "M", "M")),
        ("i < j ? 1 : 0", ("2",)),
    ],
)
def test_pointers_have_the_extents_of_their_use(subscript: str, extents: tuple[str, ...]) -> None:
    text = (
        "void f(long N, long M, const double *A, double B[N][M])"
        f" {{ for (long i = 0; i < N; i++) for (long j = 0; j < M; j++) B[i][j] = A[{subscript}]; }}"
    )
    made = imported(text)
    assert made.is_proved
    assert tuple(map(str, made.shapes["A"])) == extents


@pytest.mark.parametrize("subscript", ["i * N + j * M", "i * j"])
def test_extents_that_are_not_clear_are_to_be_said(subscript: str) -> None:
    text = (
        "void f(long N, long M, const double *A, double B[N][M])"
        f" {{ for (long i = 0; i < N; i++) for (long j = 0; j < M; j++) B[i][j] = A[{subscript}]; }}"
    )
    code, message = refusal(text)
    assert code == "AZ832"
    assert "the extents of" in message or "not affine" in message


def test_unsigned_sizes_are_those_for_which_nothing_wraps_around() -> None:
    text = "void f(size_t N, double *y) { for (size_t i = N - 1; i-- > 0;) y[i] = 0.5; }"
    made = imported(text, ImportedOrder(shapes={"y": ("N + 1",)}))
    context = made.checked.program.systems[0].context
    assert [context.contains({"N": n}) for n in (0, 1, 2)] == [False, True, True]


def test_the_function_is_the_one_that_others_see_or_has_the_name_of_the_file() -> None:
    one = "void {}(long N, double x[N]) {{ for (long i = 0; i < N; i++) x[i] = 1.0; }} "
    assert imported(f"static {one.format('f')}").function == "f"
    assert imported(f"static {one.format('f')}{one.format('g')}").function == "g"
    assert imported(one.format("f") + one.format("kernel")).function == "kernel"
    assert imported(one.format("f") + one.format("g"), ImportedOrder(function="f")).function == "f"


@pytest.mark.parametrize(
    ("constant", "written"),
    [
        ("0.3f", "0.3f"),
        ("2.0f", "2.0f"),
        ("3", "3"),
        ("1e-3F", "0.001f"),
        ("16777217.0f", "16777216.0f"),
        ("0.5", "0.5"),
    ],
)
def test_constants_keep_their_type(constant: str, written: str) -> None:
    text = f"void f(long N, const float x[N], double y[N]) {{ for (long i = 0; i < N; i++) y[i] = {constant} * x[i]; }}"
    assert equations(text) == [f"y[i] = {written} * x[i]"]


REFUSED = {
    "void f(long N, double y[N]) { for (long i = 0; i < N; i++) y[i] = INFINITY; }":
        ("AZ833", "`f` cannot be written as equations: `INFINITY` has no literal in the language"),
    "void f(long N, double y[N]) { for (long i = 0; i < N; i++) y[i] = (double)i / (double)N; }":
        ("AZ833", "`f` cannot be written as equations: `/` has type double in C, but long in the language"),
    "void f(long N, double y[N]) { }": ("AZ833", "`f` writes no array and returns no computed value"),
    "void f(long N, double y[N]) { y[N] = 1.0; }":
        ("AZ833", "`f` accesses arrays out of bounds, or reads uninitialised data, for all parameters"),
    "void f(long N, double y[N]) { double t[N]; for (long i = 0; i < N; i++) y[i] = t[i]; }":
        ("AZ833", "`f` accesses arrays out of bounds, or reads uninitialised data, for all parameters"),
    "void f(long N, const int at[N], double y[N]) { for (long i = 0; i < N; i++) y[at[i]] = 1.0; }":
        ("AZ832", "this subscript is not affine: it depends on data, the contents of `at`"),
    "void f(int n, const double b[n], double y[n]) { for (int i = 0; i < n; i++) y[i] = b[i / 2]; }":
        ("AZ832", "the source of a read of `b` is not an affine function"),
    "void f(int n, const double b[n], double y[n]) { int m = n / 2; for (int i = 0; i < m; i++) y[i] = b[i + m]; }":
        ("AZ832", "the source of a read of `b` is not an affine function"),
    "void f(int n, const double b[n], double y[1]) { for (int i = 0; i < n / 2; i++) y[0] = 2.0 * y[0] + b[i]; }":
        ("AZ832", "the source of a read is not an affine function, for any step"),
    "void f(double x, int y[4]) { y[0] = x; }":
        ("AZ832", "a value of type double is assigned to int: the conversion may change it"),
    "int f(long N, const double *x) { double s = 0; for (long i = 0; i < N; i++) s += x[i]; return 0; }":
        ("AZ833", "`f` has no result: it writes no argument, and returns no computed scalar"),
    "void f(void) { } void g(void) { }": ("AZ834", "the file has several functions"),
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_equations_is_refused_with_the_reason(text: str) -> None:
    assert refusal(text) == REFUSED[text]


@pytest.mark.parametrize(
    ("old", "new"),
    thinned([("j < N", "j < N - 1"), ("0.0", "1.0"), ("A[i][j]", "A[j][i]"), ("+=", "-="), ("j = 0", "j = 1")]),
)
def test_the_equations_are_those_of_this_text_and_of_no_other(old: str, new: str) -> None:
    made = imported(SUMS)
    other = SUMS.replace(old, new)
    assert other != SUMS
    assert not prove_c(made.checked, Source("other.c", other), ProofTask(executes=False)).is_proved


def test_the_program_is_a_text_that_is_read_again() -> None:
    made = imported(JACOBI, ImportedOrder(assumed=("N>=3",)))
    again = read_program(Source("again.ab", made.program))
    assert again.warnings == ()
    assert again.program.systems[0].name == "jacobi"


def test_names_of_systems_are_those_for_which_a_generator_writes_the_function() -> None:
    assert system_name("jacobi_x2d_2d") == "jacobi-2d"
    assert system_name("n_2mm") == "2mm"
    assert system_name("gemm") == "gemm"
    assert system_name("a_x20_b") == "a_x20_b"


def test_the_script_keeps_order_and_memory(tmp_path: Path) -> None:
    made = imported(JACOBI, ImportedOrder(program=str(tmp_path / "jacobi.ab"), assumed=("N>=3", "T>=0")))
    assert 'setSpaceTimeMap(prog, system, "C_2", "(t,i -> 1,t,1,i)");' in made.script
    assert 'setMemoryMap(prog, system, "C_2", "C", "(t,i -> i)");' in made.script


def test_tiled_loops_may_have_the_equations_of_the_plain_ones() -> None:
    text = (
        "void f(long N, const double x[N], double y[1]) { double s = 0.0; for (long b = 0; b < N; b += 16)\n"
        "#pragma omp simd reduction(+:s)\nfor (long i = b; i < (b + 16 < N ? b + 16 : N); i++) s += x[i]; y[0] = s; }"
    )
    assert equations(text) == ["s[] = reduce(+, [i], {| 0<=i<N}: x[i])", "y[i] = s"]


FOLLOWING = {
    "double s = 0; for (int i = 0; i < n; i += 2) s += a[i]; for (int i = n - 1; i >= 0; i -= 3) s += 2 * a[i];"
    " *out = s;":
        ["s_1[] = reduce(+, [i], {| 0<=i<n && i%2==0}: a[i])",
         "s_2_sum[] = reduce(+, [i], {| 0<=i<n && (2i+n)%3==1}: 2.0 * a[i])",
         "s_2[] = s_1 + s_2_sum", "out[] = s_2"],
    "double s = 0; for (int i = 0; i < n; i++) s += a[i]; for (int i = 0; i < n; i++) s -= b[i]; *out = s;":
        ["s_1[] = reduce(+, [i], {| 0<=i<n}: a[i])", "s_2_sum[] = reduce(+, [i], {| 0<=i<n}: b[i])",
         "s_2[] = s_1 - s_2_sum", "out[] = s_2"],
    # Another operator, and a value between both loops: recurrences.
    "double s = 0; for (int i = 0; i < n; i++) s += a[i]; for (int i = 0; i < n; i++) s *= b[i]; *out = s;":
        ["s_1[] = reduce(+, [i], {| 0<=i<n}: a[i])",
         "s_2[i] = case {| i>=1}: s_2[i-1] * b[i]; {| i==0}: s_1 * b[i]; esac", "out[] = s_2[n-1]"],
}  # fmt: skip


@pytest.mark.parametrize("body", FOLLOWING)
def test_a_sum_that_continues_another_one_is_added_to_it(body: str) -> None:
    assert equations(f"void f(int n, const double *a, const double *b, double *out) {{ {body} }}") == FOLLOWING[body]


@pytest.mark.parametrize("size", ["n * n * sizeof(double)", "sizeof(double[n][n])", "sizeof(double) * (n * n)"])
def test_copies_of_flat_arrays_have_the_rows_of_their_use(size: str) -> None:
    body = f"memcpy(y, a, {size}); for (int i = 1; i < n; i++) for (int j = 0; j < n; j++)"
    text = f"#include <string.h>\nvoid f(int n, const double *a, double *y) {{ {body} y[i*n+j] += y[(i-1)*n+j]; }}"
    assert equations(text)[-1] == "y[i,j] = case {| i>=1}: y_2[i,j]; {| i==0}: y_1[0,j]; esac"


def test_a_diagonal_is_no_row() -> None:
    text = (
        "void f(int n, const double *a, double *d) { for (int i = 0; i < n; i++) { d[i] = a[i * n + i];"
        " for (int j = 0; j < i; j++) d[i] += a[i * n + j]; } }"
    )
    made = imported(text)
    assert made.is_proved
    assert [str(extent) for extent in made.shapes["a"]] == ["n", "n"]


@pytest.mark.parametrize(
    "size", ["n * sizeof(double)", "n * n * sizeof(float)", "n * n", "sizeof(double) * sizeof(double)", "n * n * 8"]
)
def test_copies_of_another_size_are_not_read_as_those_of_all(size: str) -> None:
    body = f"memcpy(y, a, {size}); for (int i = 1; i < n; i++) for (int j = 0; j < n; j++)"
    text = f"#include <string.h>\nvoid f(int n, const double *a, double *y) {{ {body} y[i*n+j] += y[(i-1)*n+j]; }}"
    try:
        made = imported(text)
    except Rejected:
        return
    assert not made.is_proved or "y_in" in made.program
