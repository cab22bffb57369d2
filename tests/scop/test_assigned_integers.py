"""Integers that are assigned outside of the heads of loops: their values, and where they have none."""

import pytest

from tests.scop.reading import kernel, refusal

_CLEAR = "for (int i = 0; i < n; i++) A[i] = 0;"
_UNKNOWN = "it depends on data, the value of `n`"

READ = {
    "an assignment": (f"int n; n = 3; {_CLEAR}", ["A[i] i>=0 && i<=2"]),
    "two assignments": (
        f"int n; n = 3; {_CLEAR} n = 5; for (int j = 3; j < n; j++) A[j] = 1;",
        ["A[i] i>=0 && i<=2", "A[j] j>=3 && j<=4"],
    ),
    "steps": (f"int n; n = 3; n++; n += 2; n -= 1; n *= 2; {_CLEAR}", ["A[i] i>=0 && i<=9"]),
    "a minimum": (f"int n; n = N < 4 ? N : 4; {_CLEAR}", ["A[i] i>=0 && i<=3 && i<N"]),
    "in a block": (f"int n; n = 1; {{ n = 2; }} {_CLEAR}", ["A[i] i>=0 && i<=1"]),
    "in a loop": ("int n; for (int i = 0; i < N; i++) { n = i; A[n] = 0; }", ["A[i] i>=0 && i<N"]),
    "and a step in a loop": (
        "int n = 0; for (int i = 0; i < N; i++) { n = i; n++; A[n - 1] = 0; }",
        ["A[i] i>=0 && i<N"],
    ),
    "behind a branch that agrees": ("int n; n = 2; if (N > 3) { A[0] = 0; n = 2; } A[n] = 0;", ["A[0] N>=4", "A[2] "]),
    "behind a branch that is always taken": ("int n; n = 1; if (1) n = 2; A[n] = 0;", ["A[2] "]),
    "behind a branch that is never taken": ("int n; n = 1; if (0) n = 2; else n = 3; A[n] = 0;", ["A[3] "]),
    "behind a continue": (
        "int n; for (int i = 0; i < N; i++) { n = i; if (i > 3) continue; n = 2; A[n] = 0; }",
        ["A[2] i>=0 && i<=3 && i<N"],
    ),
    "an extent keeps its value": (
        "int n; n = 4; double t[n]; n = 5; for (int i = 0; i < 4; i++) t[i] = 0;",
        ["t[i] i>=0 && i<=3"],
    ),
    "a pointer keeps its place": ("int n; n = 4; if (N > 4) { double *p = A + n; n = 5; p[0] = n; }", ["A[4] N>=5"]),
    "private": (
        "int n;\n#pragma omp parallel for private(n)\nfor (int i = 0; i < N; i++) { n = i; A[n] = 0; }",
        ["A[i] i>=0 && i<N"],
    ),
    "firstprivate": (
        "int n; n = 2;\n#pragma omp parallel for firstprivate(n)\nfor (int i = 0; i < N; i++) B[i][n] = 0;",
        ["B[i,2] i>=0 && i<N"],
    ),
    "one for each thread": (
        f"#pragma omp parallel\n{{\nint n; n = 3;\n#pragma omp for\n{_CLEAR} }}",
        ["A[i] i>=0 && i<=2"],
    ),
    "private sections": (
        "int n;\n#pragma omp parallel sections private(n)\n{\n#pragma omp section\n{ n = 4; A[n] = 1; }\n"
        "#pragma omp section\n{ n = 3; A[n] = 0; }\n}",
        ["A[4] ", "A[3] "],
    ),
    "shadowed in a function": ("int n; n = 3; g(A); A[n] = 0;", ["A[5] ", "A[3] "]),
    "data": ("int n; n = 1; if (A[0] > 0) n = 2; A[1] = n;", ["n[] ", "n[] ", "A[1] "]),
}


@pytest.mark.parametrize("name", READ)
def test_an_assignment_gives_a_value(name: str) -> None:
    text, expected = READ[name]
    read = kernel(text, before="static void g(double *A) { int n; n = 5; A[n] = 0; }\n")
    subscripts = [",".join(map(str, statement.target.subscripts)) for statement in read.statements]
    domains = [str(statement.domain).partition("|")[2].rstrip(" }").lstrip() for statement in read.statements]
    labels = [statement.target.array.label for statement in read.statements]
    assert [f"{a}[{b}] {c}" for a, b, c in zip(labels, subscripts, domains, strict=True)] == expected


REFUSED = {
    "without a value": f"int n; {_CLEAR} n = 3;",
    "branches that differ": f"int n; n = 1; if (N > 3) {{ n = 2; A[0] = 1; }} {_CLEAR}",
    "branches inside branches": f"int n; n = 1; if (N > 3) {{ if (N > 5) n = 2; A[0] = 1; }} {_CLEAR}",
    "the other branch": f"int n; n = 1; if (N > 3) A[0] = 1; else {{ n = 2; A[1] = 1; }} {_CLEAR}",
    "a branch on data": f"int n; n = 1; if (A[0] > 0) n = 2; {_CLEAR}",
    "the bound of its own loop": "int n; n = N; for (int i = 0; i < n; i++) { A[i] = 0; n = 4; }",
    "the start of its own loop": "int n; n = 0; for (int i = n; i < N; i++) { A[i] = 0; n = 4; }",
    "behind a loop": f"int n; n = N; for (int k = 0; k < 3; k++) n = k; {_CLEAR}",
    "from the iteration before": "int n; n = 0; for (int i = 0; i < N; i++) { A[n] = 0; n = i + 1; }",
    "from an inner loop": "int n; for (int k = 0; k < 9; k++) { n = k; for (int i = 0; i < 2; i++) n = i; A[n] = 0; }",
    "do while": "int n; n = 3; int i = 0; do { n = 4; A[i] = 0; i++; } while (i < n);",
    "while": "int n; n = 3; int i = 0; while (i < n) { n = 4; A[i] = 0; i++; }",
    "shadowed": f"int n; n = 1; {{ int n = 2; n = 3; A[n] = 1; }} {_CLEAR}",
    "a quotient of an inner block": f"int n; {{ n = N / 2; }} {_CLEAR}",
    "an address": f"int n; int *p = &n; n = 1; *p = 2; {_CLEAR}",
    "a short integer": "short n; n = N; A[n] = 1;",
    "too large a constant": f"int n; n = 4294967297; {_CLEAR}",
    "inside of an expression": f"int n, m; n = 1; m = n = 3; {_CLEAR}",
    "private at the beginning": (
        "int n; n = 2;\n#pragma omp parallel for private(n)\nfor (int i = 0; i < N; i++) { A[n] = 0; n = 4; }"
    ),
    "private, and not assigned": (
        "int n; n = 2;\n#pragma omp parallel for private(n)\nfor (int i = 0; i < N; i++) A[n] = 0;"
    ),
    "private behind the loop": (
        "int n; n = 2;\n#pragma omp parallel for private(n)\n"
        "for (int i = 0; i < N; i++) { n = i; A[n] = 0; }\nA[n] = 1;"
    ),
    "by one of the sections": (
        "int n; n = 2;\n#pragma omp parallel sections\n{\n#pragma omp section\n{ n = 4; A[n] = 1; }\n"
        "#pragma omp section\n{ A[0] = 0; }\n}"
    ),
    "by a single thread while others go on": (
        f"int n; n = 2;\n#pragma omp parallel\n{{\n#pragma omp single nowait\nn = 3;\n#pragma omp for\n{_CLEAR} }}"
    ),
    "by one thread for all": (
        "int n; n = 1;\n#pragma omp parallel for\nfor (int i = 0; i < N; i++) {\n#pragma omp critical\nn = 3;\n"
        f"A[i] = 0; }}\n{_CLEAR}"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_there_is_no_value(name: str) -> None:
    code, message, _ = refusal(REFUSED[name])
    assert code == "AZ832"
    assert _UNKNOWN in message


@pytest.mark.parametrize(
    "text",
    [
        "#pragma omp parallel\n{\nint n; n = 3;\n#pragma omp single\nn = 4;\n#pragma omp for\n" + _CLEAR + " }",
        "#pragma omp parallel\n{\nint n; n = 3;\n#pragma omp sections\n{\n#pragma omp section\n{ n = 4; A[n] = 1; }\n"
        "#pragma omp section\n{ A[n] = 0; }\n}\n}",
        "int n; n = 2;\n#pragma omp parallel for firstprivate(n)\nfor (int i = 0; i < N; i++) { B[i][n] = 0; n = 3; }",
    ],
)
def test_threads_have_different_values(text: str) -> None:
    """One thread has assigned the variable, or an earlier iteration of the same thread."""
    assert refusal(text)[0] == "AZ832"


@pytest.mark.parametrize(
    "text",
    [
        "int n;\n#pragma omp simd\nfor (int i = 0; i < N; i++) { n = i; A[n] = 0; }",
        "int n;\n#pragma ivdep\nfor (int i = 0; i < N; i++) { n = i; A[n] = 0; }",
        "int n;\n#pragma omp parallel for num_threads(1)\nfor (int i = 0; i < N; i++) { n = i; A[n] = 0; }",
    ],
)
def test_a_shared_integer_that_is_assigned_may_be_a_race(text: str) -> None:
    code, message, _ = refusal(text)
    assert code == "AZ832"
    assert "the integer `n` is shared by all threads or lanes, and assigned here: data race" in message


@pytest.mark.parametrize(
    "text",
    [
        "int n;\n#pragma omp parallel for\nfor (int i = 0; i < N; i++) { n = i; A[n] = 0; }",
        "int n; n = 2;\n#pragma omp parallel\n{\nn = 3;\n#pragma omp for\nfor (int i = 0; i < n; i++) A[i] = 0;\n}",
    ],
)
def test_a_shared_integer_that_two_threads_assign_is_a_race(text: str) -> None:
    code, message, _ = refusal(text)
    assert code == "AZ836"
    assert "data race: the integer `n` is shared by all threads, and assigned here" in message


def test_an_unsigned_integer_is_asked_not_to_wrap_around() -> None:
    read = kernel("unsigned n; n = 0; n = n - 1; for (unsigned i = 0; i < n; i++) A[i] = 1;")
    assert "-1" in [str(dividend.value) for dividend in read.dividends]


def test_a_narrower_value_must_be_kept() -> None:
    assert "may lose high bits" in refusal("int n; n = (int)N; A[n] = 1;")[1]
