"""Supported C becomes instances, dates and cells; unsupported C is rejected with its position."""

import pytest

from alphaz.c.alphaz_header import c_functions
from alphaz.c.preparation import without_includes
from alphaz.diagnostics import Rejected, Source, Span
from alphaz.equivalence.driver.preprocessing import preprocessed
from alphaz.model.types import INT
from alphaz.scop import KernelLoop, LoopKind, parse
from alphaz.scop.functions import functions_of
from alphaz.scop.supported_pragmas import Pragma, join_pragmas
from alphaz.scop.value_tree import OperationValue
from tests.scop.reading import kernel, refusal


def instances(body: str, n: int, **more: str) -> list[list[tuple[int, ...]]]:
    return [sorted(statement.domain.points({"N": n})) for statement in kernel(body, **more).statements]


def cells(body: str, at: dict[str, int], **more: str) -> tuple[int, ...]:
    (only,) = kernel(body, **more).statements
    return tuple(subscript.at(at) for subscript in only.target.subscripts)


def test_loops_up_and_down_and_with_steps() -> None:
    assert instances("for (long i = 0; i < N; i++) A[i] = 0;", 3) == [[(0,), (1,), (2,)]]
    assert instances("for (long i = N - 1; i >= 0; i--) A[i] = 0;", 3) == [[(0,), (1,), (2,)]]
    (stepped,) = instances("for (long i = 1; i < N; i += 3) A[i] = 0;", 9)
    assert [i for _, i in stepped] == [1, 4, 7]
    (down,) = instances("for (long i = N - 1; i > 0; i -= 2) A[i] = 0;", 6)
    assert sorted(i for _, i in down) == [1, 3, 5]


def test_minimum_and_maximum_in_bounds_are_conditions() -> None:
    helper = "static long low(long a, long b) { return a < b ? a : b; }\n"
    (found,) = instances("for (long i = 0; i < low(N, 4); i++) A[i] = 0;", 9, before=helper)
    assert found == [(0,), (1,), (2,), (3,)]
    (found,) = instances("for (long i = N > 2 ? N : 2; i < 5; i++) A[i - i] = 0;", 1)
    assert found == [(2,), (3,), (4,)]


def test_quotients_round_down_and_their_dividends_are_remembered() -> None:
    read = kernel("for (long i = 0; i < N / 2; i++) A[i] = 0;")
    assert [point[-1] for point in read.statements[0].domain.points({"N": 7})] == [0, 1, 2]
    assert [str(dividend.value) for dividend in read.dividends] == ["N"]


def test_flat_subscripts_are_divided_by_the_shape() -> None:
    at = {"N": 5, "i": 2, "j": 3}
    flat = "void f(long N, double *A, double *B)"
    assert cells("for (long i = 0; i < N; i++) for (long j = 0; j < N; j++) B[i * N + j] = 0;", at, head=flat) == (2, 3)
    body = "for (long i = 0; i < N; i++) { double *row = B + N * i; for (long j = 0; j < N; j++) row[j] = 0; }"
    assert cells(body, at, head=flat) == (2, 3)


def test_a_carry_is_found_where_the_rest_is_another_row() -> None:
    flat = "void f(long N, double *A, double *B)"
    body = "for (long i = 0; i < N - 1; i++) B[(i + 1) * N - 1] = 0;"
    assert cells(body, {"N": 5, "i": 2}, head=flat) == (2, 4)


def test_rows_of_any_affine_length_are_divided_by() -> None:
    """A division by leading terms that leaves nothing over is not enough: 3 N + 7 goes into 10 N + 24 too."""
    rows = "double *w = malloc((3*N + 7) * (3*N + 7) * sizeof(double));"
    body = f"{rows} for (long i = 0; i < N; i++) w[(N + 3) * (3*N + 7) + N + i + 3] = 0; free(w);"
    assert cells(body, {"N": 5, "i": 2}) == (8, 10)


def test_locals_are_objects_of_each_iteration() -> None:
    read = kernel("for (long i = 0; i < N; i++) { double s; s = A[i]; A[i] = s; }")
    assert [str(subscript) for subscript in read.statements[0].target.subscripts] == ["i"]
    assert read.arrays["s"].prefix == ("i",)


def test_functions_are_put_in_the_place_of_their_calls() -> None:
    before = "static void clear(long n, double *x) { for (long i = 0; i < n; i++) x[i] = 0; }\n"
    (found,) = instances("clear(N, B[0]);", 2, before=before)
    assert found == [(0,), (1,)]


def test_both_sides_of_an_affine_choice_are_statements() -> None:
    assert instances("for (long i = 0; i < N; i++) A[i] = i == 0 ? 1.0 : A[i];", 3) == [[(0,)], [(1,), (2,)]]


def test_a_condition_on_data_chooses_a_value() -> None:
    read = kernel("for (long i = 0; i < N; i++) if (A[i] < 0.5) B[i][i] = A[i]; else B[i][i] = 0.5;")
    assert [str(statement.value.operator) for statement in read.statements] == ["min"]  # type: ignore[union-attr]


def test_directives_say_the_order_of_loops() -> None:
    read = kernel(
        "#pragma omp parallel for collapse(2)\nfor (long i = 0; i < N; i++) for (long j = 0; j < N; j++) B[i][j] = 0;"
    )
    kinds = [each.kind for each in read.statements[0].date if isinstance(each, KernelLoop)]
    assert kinds == [LoopKind.PARALLEL, LoopKind.PARALLEL]


def test_early_returns_restrict_what_follows() -> None:
    assert instances("if (N < 3) return;\nA[0] = 0;", 2) == [[]]
    assert instances("if (N < 3) return;\nA[0] = 0;", 3) == [[()]]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("while (N > 0) A[0] = 0;", "this loop may never end"),
        ("for (long i = 0; i < N; i++) { if (i == 2 - i) break; A[i] = 0; }", "may hold again"),
        ("goto end; end: A[0] = 0;", "goto"),
        ("for (long i = 0; i < N; i++) A[(long)A[i]] = 0;", "subscript is not affine"),
        ("for (long i = 0; i < A[0]; i++) A[i] = 0;", "bounds"),
        ("for (unsigned long i = 0; i < N; i++) A[N - 1 + -i] = 0;", "not affine|not understood|`-` of"),
        ("for (unsigned short i = 0; i < N; i++) A[i] = 0;", "one integer iterator"),
        ("for (long i = 0; i < N; i++) { A[i] = 0; if (A[0] > 0) i = i + 1; }", "depends on data, the value of `i`"),
        ("for (long i = 0; i != N; i += 2) A[0] = 0;", "may hold again|may never end|not affine"),
        ("for (long i = 0; i >= 0; i++) A[0] = 0;", "may hold again"),
        ("for (long i = 0; i % 4 < 3; i++) A[i] = 0;", "quotient or remainder"),
        ("for (long i = 0; i < N; i--) A[0] = 0;", "may hold again"),
        ("for (long i = 0; i < N * N * N; i++) A[0] = 0;", "not affine"),
        ("double *p = A; p = A + 1; *p = 0;", "is reassigned other than by one step"),
        ("for (long i = 0; i < N; i++) for (long j = 0; j < N; j++) *A++ = 0;", "is not affine"),
        ("double s = 0; for (long i = 0; i < N; i++) s += *A++ + *A++; B[0][0] = s;", "assignment inside"),
        ("long i = 0; while (A[i] > 0) i++;", "bounds of this loop"),
        ("do { A[0] = 0; } while (N > 0);", "`do` statements"),
        ("int *p = (int *)A; p[0] = 0;", "another element type"),
        ("((float *)A)[0] = 0;", "another element type"),
        ("int n = A[0]; A[0] = n;", "the conversion may"),
        ("for (long i = 0; i < N; i++) { A[i] = 0; return; }", "`return` inside"),
        ("unknown(A);", "cannot interpret the call"),
        ("A[0] = unknown(A[1]);", "is not defined"),
        ("double *p = malloc(N); p[0] = 0;", "size of an element"),
        ("double *p = malloc(N * sizeof(double)); free(p); p[0] = 0;", "released"),
        ("free(A);", "cannot release this: expected the start of an allocated array"),
        ("memcpy(A, B, N * N * sizeof(double));", "source and target of this copy"),
        ("#pragma omp parallel num_threads(N)\n{ A[0] = 0; }", "not known to be positive"),
        ("#pragma omp parallel for\n#pragma omp simd\nfor (long i = 0; i < N; i++) A[i] = 0;", "by a `for` loop"),
        ("#pragma omp critical\ndouble s = 0; A[0] = s;", "followed by a statement"),
        ("#pragma omp task\nA[0] = 0;", "is not supported"),
        ("#pragma omp parallel for lastprivate(A)\nfor (long i = 0; i < N; i++) A[i] = 0;", "lastprivate"),
        ("#pragma clang loop vectorize(assume_safety)\nfor (long i = 0; i < N; i++) A[i] = 0;", "is not supported"),
        ("double s = 0;\n#pragma omp parallel for reduction(+:s)\nfor (long i = 0; i < N; i++) s = A[i];", "accumulat"),
        ("static double s; s = 0; A[0] = s;", "values kept between calls are not supported"),
        ("A[0] = A[1] ? A[2] : B[0];", "expected a scalar, found array"),
    ],
)  # fmt: skip
def test_what_is_outside_says_so_at_its_place(body: str, said: str) -> None:
    code, message, line = refusal(body)
    assert code == "AZ832"
    assert any(each in message for each in said.split("|")), message
    assert 3 <= line <= 2 + body.count("\n") + 1


def test_a_data_race_is_a_refutation() -> None:
    code, message, line = refusal("#pragma omp parallel\n{ A[0] = 0; }")
    assert (code, "data race" in message, line) == ("AZ836", True, 4)


def test_constant_arguments_are_not_written() -> None:
    code, message, _ = refusal("A[0] = 0;", head="void f(long N, const double *A, double B[N][N])")
    assert (code, "constant" in message) == ("AZ832", True)


@pytest.mark.parametrize("type_", ["unsigned short", "uint8_t", "short", "double"])
def test_parameters_are_integers_of_some_size(type_: str) -> None:
    code, message, _ = refusal("A[0] = 0;", head=f"void f({type_} N, double *A)")
    assert code == "AZ832"
    assert "`N`" in message


def test_a_shape_that_is_another_is_refused() -> None:
    code, message, _ = refusal("B[0][0] = 0;", head="void f(long N, double *A, double B[N][N + 1])")
    assert (code, "the shape of `B` differs from that of its variable" in message) == (
        "AZ832",
        True,
    )


def test_what_is_no_c_has_a_place() -> None:
    source = Source("k.c", "void f(long N)\n{\n    for (long i = 0; i < N; i++\n        ;\n}\n")
    with pytest.raises(Rejected) as caught:
        parse(source, source.text)
    (only,) = caught.value.diagnostics
    assert only.rule.code == "AZ831"
    assert only.primary.span.position[0] == 4


def test_what_ends_too_early_says_so() -> None:
    with pytest.raises(Rejected, match="end of input"):
        parse(Source("k.c", "void f(void) {"), "void f(void) {")


def test_comments_and_includes_leave_everything_else_in_its_place() -> None:
    text = '#include <a.h>\nint x; /* one\n two */ int y; // "three\nchar *s = "/*";\n'
    assert len(without_includes(text)) == len(text)
    assert without_includes(text).splitlines()[2].index("int") == text.splitlines()[2].index("int")
    assert '"/*"' in without_includes(text)


def test_helpers_of_the_generator_are_known_by_their_bodies() -> None:
    names = ["floor_div", "floor_mod", "bytes_of", "allocate", "allocate_zero", "free_table"]
    text = "#include <stdint.h>\n" + "\n".join(c_functions(names, has_threads=True))
    found = functions_of(parse(Source("k.c", text), preprocessed(Source("k.c", text))))
    assert [found.recognised_helper(name) for name in names] == names
    assert [name for name in names if found.allocates(name)] == names[3:5]


def test_what_gives_memory_asks_how_much_by_a_helper_that_is_known() -> None:
    text = "#include <stdint.h>\n" + "\n".join(c_functions(["bytes_of", "allocate"], has_threads=True))
    text = text.replace("return 0", "return 1")
    found = functions_of(parse(Source("k.c", text), preprocessed(Source("k.c", text))))
    assert not found.allocates("allocate")


def test_a_helper_with_another_body_is_not_known() -> None:
    text = "long floor_div(long a, long b) { return a / b; }\n"
    assert functions_of(parse(Source("k.c", text), text)).recognised_helper("floor_div") is None


WRAPPING = "static int sum(int a, int b) { return (int)((unsigned)a + (unsigned)b); }\n"
DECLARED = "#pragma omp declare reduction(sum : int : omp_out = sum(omp_out, omp_in)) initializer(omp_priv = 0)\n"
SUMS = """int s = 0;
#pragma omp parallel for reduction(sum:s)
for (long i = 0; i < N; i++) s = sum(s, A[i]);
B[0] = s;"""
INTEGERS = "void f(long N, int A[N], int B[N])"


def test_sums_of_unsigned_integers_are_those_that_wrap_around() -> None:
    read = kernel(SUMS, before=WRAPPING + DECLARED, head=INTEGERS)
    contribution = next(statement for statement in read.statements if isinstance(statement.value, OperationValue))
    assert isinstance(contribution.value, OperationValue)
    assert (contribution.value.operator, contribution.value.type) == ("+", INT)
    for value, operator in (("(int)((unsigned)A[i] * (unsigned)A[i])", "*"), ("(int)(0 - (unsigned)A[i])", "neg")):
        (one,) = kernel(f"for (long i = 0; i < N; i++) B[i] = {value};", head=INTEGERS).statements
        assert isinstance(one.value, OperationValue)
        assert one.value.operator == operator


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ (unsigned)b", "- (unsigned)b"),
        ("(unsigned)b", "(unsigned)a"),
        ("(unsigned)b", "(unsigned short)b"),
        ("return (int)", "return (short)"),
        ("omp_priv = 0", "omp_priv = 1"),
        ("sum : int", "sum : long"),
        ("(omp_out, omp_in)", "(omp_out, omp_out)"),
        (DECLARED, ""),
    ],
)
def test_sums_of_the_files_own_are_known_by_what_they_do(old: str, new: str) -> None:
    before = (WRAPPING + DECLARED).replace(old, new)
    assert before != WRAPPING + DECLARED
    with pytest.raises(Rejected):
        kernel(SUMS, before=before, head=INTEGERS)


def test_only_a_region_and_what_it_shares_out_are_one_directive() -> None:
    span = Span(Source("k.c", ""), 0, 0)
    assert join_pragmas(Pragma("parallel", span), Pragma("for", span)) == Pragma("parallel for", span)
    for outer, inner in (("critical", "for"), ("for", "for"), ("parallel", "critical")):
        assert join_pragmas(Pragma(outer, span), Pragma(inner, span)) is None
