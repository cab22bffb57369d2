"""Directives in front of statements, with clauses and in places that OpenMP does not allow; values and pointers that C
does not define."""

import pytest

from tests.scop.reading import kernel, refusal

_FOR = "#pragma omp parallel for"
_LOOP = "for (long i = 0; i < N; i++) A[i] = 0;"
_NO_LOOP = "must be followed by a `for` loop"
_OTHER_LOOP = "must be followed by a loop with one iterator"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"{_FOR}\n{{ {_LOOP} }}", _NO_LOOP),
        (f"#pragma omp parallel\n{{\n#pragma omp for\n{{ {_LOOP} }}\n}}", _NO_LOOP),
        (f"#pragma omp simd\n{{ {_LOOP} }}", _NO_LOOP),
        (f"{_FOR}\nA[0] = 0;", _NO_LOOP),
        (f"long i = 0;\n{_FOR}\nwhile (i < N) {{ A[i] = 0; i++; }}", _NO_LOOP),
        (f"{_FOR}\nfor (long i = 0, j = 0; i < N; i++, j++) A[j] = 0;", _OTHER_LOOP),
        (f"long i, j;\n{_FOR}\nfor (i = 0, j = 0; i < N; i++, j++) A[j] = 0;", _OTHER_LOOP),
        (f"long i = 0;\n{_FOR}\nfor (; i < N; i++) A[i] = 0;", _OTHER_LOOP),
        (f"{_FOR}\nfor (long i = 0; i < N;) {{ A[i] = 0; i++; }}", _OTHER_LOOP),
        (f"{_FOR}\nfor (long i = N; i-- > 0;) A[i] = 0;", _OTHER_LOOP),
        (f"{_FOR}\nfor (long i = 0; i < N && i < 9; i++) A[i] = 0;", _OTHER_LOOP),
        (f"{_FOR}\nfor (long i = 0; i + 1 <= N; i++) A[i] = 0;", _OTHER_LOOP),
        (f"{_FOR}\nfor (long i = 0; i < N - i + i; i++) A[i] = 0;", _OTHER_LOOP),
        (f"{_FOR}\nfor (long i = 0; ; i++) {{ if (i >= N) break; A[i] = 0; }}", _OTHER_LOOP),
        (f"{_FOR}\nfor (long i = 0; i < N; i++) {{ if (i > N) break; A[i] = 0; }}", "that nothing leaves"),
        (f"{_FOR} collapse(2)\nfor (long i = 0; i < N; i++) {{ long j = 0; while (j < N) B[i][j++] = 0; }}", _NO_LOOP),
        ("for (long i = 0; i < N; i++) {\n#pragma omp critical\n{ A[i] = 0; continue; } }", "is left by a jump"),
        ("#pragma omp atomic\nA[0] = 1;", "`omp atomic` needs an update"),
        ("#pragma omp atomic\nA[0] += A[0];", "`omp atomic` needs an update"),
        ("#pragma omp atomic\nA[0] = A[1] + A[2];", "`omp atomic` needs an update"),
        ("#pragma omp atomic\n{ A[0] += 1; }", "`omp atomic` needs an update"),
        ("#pragma omp simd\nfor (long i = 0; i < N; i++) {\n#pragma omp critical\nA[0] += 1; }", "may not contain"),
        (f"{_FOR}\nfor (long i = 0; i < N; i++) {{\n#pragma omp single\nA[i] = 1; }}", "may not contain"),
        (f"long i;\n{_FOR} firstprivate(i)\nfor (i = 0; i < N; i++) A[i] = 0;", "has its iterator in"),
        (f"{_FOR} shared(A + 1)\n{_LOOP}", "`shared` needs names"),
        (f"{_FOR} shared(A[0])\n{_LOOP}", "`shared` needs names"),
        (f"{_FOR} firstprivate(N + 1)\n{_LOOP}", "`firstprivate` needs names"),
        (f"{_FOR} private(A[0])\n{_LOOP}", "`private` needs names"),
        (f"{_FOR} reduction(+:N + 1)\n{_LOOP}", "clause `reduction(+:N + 1)`"),
        (f"{_FOR} shared((A))\n{_LOOP}", "cannot read the clauses"),
        (f"{_FOR} if(other: 1)\n{_LOOP}", "`other:` in the clause `if`"),
        (f"{_FOR} schedule(other: static)\n{_LOOP}", "`other:` in the clause `schedule`"),
        ("double *p = A + N + 5;", "may be outside of `A`"),
        ("double *p = A - 1;", "may be outside of `A`"),
        ("double *p = &A[N + 1];", "may be outside of `A`"),
        ("double *p = B[N + 1];", "may be outside of `B`"),
        ('int k;\nprintf("%d", k);', "`k` has no known value"),
        ("int k;\nassert(k > 0);", "`k` has no known value"),
    ],
)  # fmt: skip
def test_undefined_and_invalid_texts_are_refused(body: str, message: str) -> None:
    code, said, _ = refusal(body)
    assert (code, message in said) == ("AZ832", True), said


@pytest.mark.parametrize(
    "body",
    [
        f"double t = 0; {_FOR}\n{_LOOP}",
        f"{{ {_FOR}\n{_LOOP} }}",
        f"double t = 0\n{_FOR}\n;{_LOOP}",
        f"double t = 0; \\\n{_FOR}\n{_LOOP}",
        f"#pragma omp parallel\n{{ if (N > 3)\n#pragma omp barrier\n{_LOOP} }}",
        f"#pragma omp parallel sections\n{_LOOP}",
    ],
)
def test_misplaced_directives_are_no_c(body: str) -> None:
    code, said, _ = refusal(body)
    assert (code, said.startswith("this is no C")) == ("AZ831", True), said


@pytest.mark.parametrize(
    "body",
    [
        f"{_FOR}\nfor (long i = N - 1; i >= 0; i = i - 1) A[i] = 0;",
        f"{_FOR}\nfor (long i = 0; N > i; i = i + 1) A[i] = 0;",
        f"long i;\n{_FOR}\nfor (i = 0; i < N; i += 2) A[i] = 0;",
        f"{_FOR} collapse(2)\nfor (long i = 0; i < N; i++) for (long j = 0; j < N; j++) B[i][j] = 0;",
        "#pragma omp atomic update\nA[0] = 1 + A[0];",
        f"/* a */ {_FOR}\n{_LOOP}",
        f"if (N > 3)\n{_FOR}\n{_LOOP}\nelse\n#pragma omp simd\n{_LOOP}",
        f"{_FOR} if(parallel: 1) schedule(monotonic: static)\n{_LOOP}",
        "if (N > 0) { double *p = A + N;\np[-1] = 0; }",
        "if (N > 0) { double *p = B[N - 1];\np[N - 1] = 0; }",
        'int k = 3;\ndouble t = 1;\nprintf("%d %g", k, t);',
    ],
)
def test_canonical_loops_and_defined_pointers_are_read(body: str) -> None:
    kernel(body)
