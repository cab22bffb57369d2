"""Tables of arrays, as generated code has them where arrays of calls live longer than the calls."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.thinning import thinned

pytestmark = pytest.mark.slow

EQUATIONS = """affine f {N,M | N>=1 && M>=1}
input
	double A {r,i | 0<=r<M && 0<=i<N};
output
	double y {r | 0<=r<M};
let
	y[r] = A[r,0] + A[r,N-1];
.
"""
# The helpers are those of generated files.
HELPERS = """#include <stdint.h>
#include <stdlib.h>
static inline int64_t bytes_of(size_t element, int rank, const int64_t *extents)
{
    int64_t bytes = (int64_t)element;
    for (int d = 0; d < rank; d++) { if (extents[d] <= 0) { return 0; } }
    for (int d = 0; d < rank; d++) { if (bytes > INT64_MAX / 4 / extents[d]) { return -1; } bytes *= extents[d]; }
    return bytes;
}
static void *allocate(int *status, size_t element, int rank, const int64_t *extents)
{
    if (*status != 0) { return NULL; }
    const int64_t bytes = bytes_of(element, rank, extents);
    if (bytes < 0) { *status = 2; return NULL; }
    const size_t page = bytes < INT64_C(4) << 20 ? 64 : (size_t)2 << 20;
    const size_t whole = ((size_t)bytes / page + 1) * page;
    void *array = aligned_alloc(page, whole);
    if (array == NULL) { *status = 3; }
    return array;
}
static void *allocate_zero(int *status, size_t element, int rank, const int64_t *extents)
{
    if (*status != 0) { return NULL; }
    const int64_t bytes = bytes_of(element, rank, extents);
    if (bytes < 0) { *status = 2; return NULL; }
    void *array = calloc((size_t)bytes + 1, 1);
    if (array == NULL) { *status = 3; }
    return array;
}
static void free_table(void **table, int rank, const int64_t *extents)
{
    const int64_t count = table == NULL ? 0 : bytes_of(1, rank, extents);
    for (int64_t at = 0; at < count; at++) { free(table[at]); }
    free(table);
}
"""
# One array for all rows: made once, filled for each row.
SHARED = """static void rows(int64_t N, int64_t M, const double *A, double *y, void **restrict T)
{
    {
        int failed = 0;
        T[0] = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
    }
    for (int64_t r = 0; r < M; r++) {
        {
            double *const row = T[0];
            if (row != NULL) {
                for (int64_t i = 0; i < N; i++) {
                    row[i] = A[r * N + i];
                }
            }
        }
        {
            double *const again = T[0];
            if (again != NULL) {
                y[r] = again[0] + again[N - 1];
            }
        }
    }
    free(T[0]);
    T[0] = NULL;
}
void f(int64_t N, int64_t M, const double *A, double *y)
{
    int status = 0;
    void **T = allocate_zero(&status, sizeof(*T), 2, (const int64_t[]){1, 1});
    if (status == 0) {
        rows(N, M, A, y, T);
    }
    free_table(T, 2, (const int64_t[]){1, 1});
}
"""
MADE = "T[0] = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});"
GONE = "    free(T[0]);\n    T[0] = NULL;\n"
LOOP = "    for (int64_t r"
# An array for each row, by threads: made, used and released in loops of their own.
ALL = """static void rows(int64_t N, int64_t M, const double *A, double *y, void **restrict T)
{
    #pragma omp parallel for
    for (int64_t r = 0; r < M; r++) {
        int failed = 0;
        T[r] = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        double *const row = T[r];
        if (row != NULL) {
            for (int64_t i = 0; i < N; i++) {
                row[i] = A[r * N + i];
            }
        }
    }
    #pragma omp parallel for
    for (int64_t r = 0; r < M; r++) {
        double *const again = T[r];
        y[r] = again[0] + again[N - 1];
    }
    for (int64_t r = 0; r < M; r++) {
        free(T[r]);
        T[r] = NULL;
    }
}
void f(int64_t N, int64_t M, const double *A, double *y)
{
    int status = 0;
    void **T = allocate_zero(&status, sizeof(*T), 1, (const int64_t[]){M});
    if (status == 0) {
        rows(N, M, A, y, T);
    }
    free_table(T, 1, (const int64_t[]){M});
}
"""


def verdict(text: str, executes: bool = False) -> CVerdict:
    source = Source("f.c", HELPERS + text)
    return prove_c(read_program(Source("f.ab", EQUATIONS)), source, ProofTask(system="f", executes=executes))


@pytest.mark.parametrize("text", [SHARED, ALL])
def test_arrays_in_tables_are_arrays(text: str) -> None:
    assert verdict(text).is_proved


def test_functions_that_read_tables_are_executed() -> None:
    found = verdict(ALL, executes=True)
    assert found.tried is not None
    assert (found.verdict, len(found.tried.ran)) == ("proved", 5)


@pytest.mark.parametrize(
    ("right", "wrong"),
    thinned(
        [
            (MADE, ""),
            (MADE, MADE.replace("{N}", "{N - 1}")),
            (MADE, MADE.replace("double", "float")),
            (MADE, MADE.replace("1, (const", "2, (const")),
            (MADE, MADE + "\nT[0] = NULL;"),
            (GONE, "    free(T[0]);\n"),
            (GONE, f"{GONE}    double *const late = T[0];\n    y[0] = late[0];\n"),
            (LOOP, f"{GONE}{LOOP}"),
            (LOOP, f"    #pragma omp parallel for\n{LOOP}"),
            ("double *const again = T[0];", f"{MADE}\ndouble *const again = T[0];"),
            ("double *const again = T[0];", f"{GONE}double *const again = T[0];"),
            ("double *const again = T[0];", f"double *const again = T[0];\n{GONE}"),
            ("double *const again = T[0];", "double *const again = T[r];"),
            ("double *const again = T[0];", "float *const again = T[0];"),
            ("again[N - 1]", "again[N]"),
            ("int64_t[]){1, 1});\n    if", "int64_t[]){0, 1});\n    if"),
            (
                "        rows(N, M, A, y, T);",
                "        free_table(T, 2, (const int64_t[]){1, 1});\n        rows(N, M, A, y, T);",
            ),
            ("free_table(T, 2, (const int64_t[]){1, 1})", "free_table(T, 2, (const int64_t[]){1, 2})"),
            ("free_table(T, 2, (const int64_t[]){1, 1})", "free_table(T, 1, (const int64_t[]){1, 1})"),
            ("sizeof(*T)", "sizeof(char)"),
            ("allocate_zero(&status, sizeof(*T)", "allocate(&status, sizeof(*T)"),
            ("free(table[at]);", "free(table[0]);"),
        ],
        4,
    ),
)
def test_what_is_not_there_is_not_used(right: str, wrong: str) -> None:
    text = HELPERS + SHARED
    assert text.count(right) == 1
    source = Source("f.c", text.replace(right, wrong))
    assert not prove_c(read_program(Source("f.ab", EQUATIONS)), source, ProofTask(system="f", executes=False)).is_proved


AGAIN = "double *const again = T[r];"
SECOND = f"    for (int64_t r = 0; r < M; r++) {{\n        {AGAIN}"


@pytest.mark.parametrize(
    ("right", "wrong"),
    thinned(
        [
            ("T[r] = allocate", "T[0] = allocate"),
            ("row = T[r]", "row = T[M - 1 - r]"),
            (AGAIN, AGAIN.replace("T[r]", "T[0]")),
            (AGAIN, AGAIN.replace("T[r]", "T[r + 1]")),
            (SECOND, SECOND.replace("< M", "< M - 1")),
            (SECOND, SECOND.replace("r = 0", "r = M")),
            (AGAIN, f"free(T[r]);\nT[r] = NULL;\n{AGAIN}"),
            ("){M});\n    if", "){M - 1});\n    if"),
        ],
        4,
    ),
)
def test_each_entry_is_an_array_of_its_own(right: str, wrong: str) -> None:
    assert ALL.count(right) == 1
    assert not verdict(ALL.replace(right, wrong)).is_proved


RENEWED = """static void renew(int64_t N, void **T)
{
    int failed = 0;
    free(T[0]);
    T[0] = NULL;
    T[0] = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
}
"""


def test_nobody_points_to_what_changes() -> None:
    fresh = SHARED.replace(
        "        {\n            double *const row", "        renew(N, T);\n        {\n            double *const row"
    )
    assert verdict(RENEWED + fresh).is_proved
    for stale in ("renew(N, T);", f"{{ double row = 0; int failed = 0; free(T[0]); T[0] = NULL; {MADE} }}"):
        text = SHARED.replace("double *const row = T[0];", f"double *const row = T[0];\n{stale}")
        (finding,) = verdict(RENEWED + text).findings
        assert "changes while a pointer to its array is in use" in finding.message


@pytest.mark.parametrize(("rank", "is_known"), [(0, False), (1, True), (2, False)])
def test_extents_are_counted(rank: int, is_known: bool) -> None:
    text = SHARED.replace("void f(", "int f(").replace("1});\n}\n", "1});\n    return 0;\n}\n")
    head = "double *y)\n{\n    int status"
    check = f"    if (bytes_of(sizeof(*A), {rank}, (const int64_t[]){{N}}) < 0) {{\n        return 2;\n    }}\n"
    assert text.count(head) == 1
    assert verdict(text.replace(head, head.replace("    int", f"{check}    int"))).is_proved == is_known


def test_who_points_to_what_is_released_is_not_named_again() -> None:
    last = f"y[r] = again[0] + again[N - 1];\n            }}\n            {GONE}"
    row = "        {\n            double *const row"
    fresh = SHARED.replace(row, row.replace("{", f"{{\nint failed = 0;\n{MADE}"))
    text = fresh.replace("y[r] = again[0] + again[N - 1];\n            }\n", last)
    assert text.count(GONE) == 2
    assert verdict(text).is_proved
    assert not verdict(text.replace(last, f"{last}y[r] = again[0] + again[N - 1];")).is_proved


def test_a_table_is_not_passed_with_an_array_of_it() -> None:
    helper = "static void set(double *restrict x, void **T) { x[0] = x[0] + 0.0; }\n"
    text = SHARED.replace("if (row != NULL) {", "if (row != NULL) {\nset(row, T);")
    (finding,) = verdict(helper + text).findings
    assert "a table and an array of its entries cannot both be passed" in finding.message


def test_arrays_of_one_table_have_one_shape() -> None:
    shape = "(const int64_t[]){N});\n        double *const row"
    text = ALL.replace(shape, shape.replace("{N}", "{N + r}"))
    assert text != ALL
    (finding,) = verdict(text).findings
    assert "all arrays of a table must have the same shape" in finding.message


def test_what_is_read_first_may_stand_behind() -> None:
    """Branches are read from the last one on."""
    row = "double *const row = T[0]; for (int64_t i = 0; i < N; i++) row[i] = A[r * N + i];"
    used = f"for (int64_t r = 0; r < M; r++) {{ {row} y[r] = row[0] + row[N - 1]; }}"
    first, last = SHARED.index("    {\n        int failed"), SHARED.index("}\nvoid f")
    text = f"""{SHARED[:first]}
    for (int64_t k = 0; k < 3; k++) {{
        int failed = 0;
        if (k == 0) {{ {MADE} }} else if (k == 1) {{ {used} }} else {{ free(T[0]); T[0] = NULL; }}
    }}
{SHARED[last:]}"""
    assert verdict(text).is_proved
    assert not verdict(text.replace("k == 0", "k == 2")).is_proved
    assert not verdict(text.replace("k == 1", "k == 3")).is_proved
