"""What threads collect in arrays of their own, and merge: however iterations are shared out, it has to be right."""

import pytest

from tests.equivalence.asking import asked

pytestmark = pytest.mark.slow

COLUMNS = """affine s {N,M | N>=1 && M>=1}
input double A {i,j | 0<=i<N && 0<=j<M};
output double y {j | 0<=j<M};
let y[j] = reduce(+, [i], A[i,j]);
."""
ROWS_TOO = """affine s {N,M | N>=1 && M>=1}
input double A {i,j | 0<=i<N && 0<=j<M};
output double y {j | 0<=j<M}; double z {i | 0<=i<N};
let y[j] = reduce(+, [i], A[i,j]); z[i] = reduce(+, [j], A[i,j]);
."""
LEAST = COLUMNS.replace("double", "long").replace("reduce(+", "reduce(min")
DOUBLED = """affine s {N,M | N>=1 && M>=1}
input double A {i,j | 0<=i<N && 0<=j<M};
output double z {j | 0<=j<M};
local double y {j | 0<=j<M};
let y[j] = reduce(+, [i], A[i,j]); z[j] = 2.0 * y[j];
."""
MORE = DOUBLED.replace("2.0 * y[j]", "b[j] + y[j]").replace("<M};", "<M}; double b {j | 0<=j<M};", 1)
TOTAL = """affine s {N,M | N>=1 && M>=1}
input double A {i,j | 0<=i<N && 0<=j<M};
output double y;
let y = reduce(+, [i,j], A[i,j]);
."""

HEAD = "void s(long N, long M, const double A[N][M], double y[M])"
J, ROW = "for (long j = 0; j < M; j++)", "for (long i = 0; i < N; i++)"
ZERO = f"{J} y[j] = 0;"
START = f"double own[M]; {J} own[j] = 0;"
WORK = f"\n#pragma omp for\n{ROW} {J} own[j] += A[i][j];"
MERGE = f"\n#pragma omp critical\n{J} y[j] += own[j];"
REGION = "\n#pragma omp parallel\n{ %s }"


def text(start: str = START, work: str = WORK, merge: str = MERGE, zero: str = ZERO, head: str = HEAD) -> str:
    return f"{head} {{ {zero}{REGION % (start + work + merge)} }}"


def loop(body: str, clauses: str = "") -> str:
    return f"\n#pragma omp for{clauses}\n{ROW} {{ {body} }}"


LOADED = loop(f"{J} {{ double sum = own[j]; sum += A[i][j]; own[j] = sum; }}")
HALVES = "for (long i = 0; i < N / 2; i++)", "for (long i = N / 2; i < N; i++)"
FIRST, SECOND = (f"\n#pragma omp for nowait\n{each} {J} own[j] += A[i][j];" for each in HALVES)
SCALAR = HEAD.replace("double y[M]", "double *y")

IN_MORE = text(
    head=HEAD.replace("double y[M]", "const double b[M], double z[M]"), zero=f"double y[M]; {ZERO}"
).removesuffix("}")

RIGHT = {
    "threads collect": (COLUMNS, text()),
    "nobody waits": (COLUMNS, text(work=WORK.replace("for\n", "for nowait\n", 1))),
    "in a register": (COLUMNS, text(work=LOADED)),
    "each cell by itself": (COLUMNS, text(merge=f"{J} {{\n#pragma omp atomic\ny[j] += own[j]; }}")),
    "turned round": (COLUMNS, text(work=loop(f"{J} own[j] -= A[i][j];"), merge=MERGE.replace("+=", "-="))),
    "of two loops": (COLUMNS, text(work=FIRST + SECOND)),
    "all pairs shared out": (
        TOTAL,
        text(
            head=SCALAR,
            zero="*y = 0;",
            start="double own = 0;",
            work=f"\n#pragma omp for collapse(2)\n{ROW} {J} own += A[i][j];",
            merge="\n#pragma omp critical\n*y += own;",
        ),
    ),
    "by two names": (
        COLUMNS,
        text(start=f"{START} double *it = own;", work=loop(f"{J} {{ it[j] += A[i][j]; }}")),
    ),
    "from the heap": (
        COLUMNS,
        text(start="double *own = calloc(M, sizeof(double));", merge=f"{MERGE} free(own);"),
    ),
    "a number of each thread": (
        TOTAL,
        text(
            head=SCALAR,
            zero="*y = 0;",
            start="double own = 0;",
            work=loop(f"{J} own += A[i][j];"),
            merge="\n#pragma omp atomic\n*y += own;",
        ),
    ),
    "one thread starts what is shared": (
        COLUMNS,
        text(zero="", start=f"{START}\n#pragma omp single\n{{ {ZERO} }}"),
    ),
    "used behind a barrier": (
        DOUBLED,
        text(
            head=HEAD.replace("double y[M]", "double z[M]"),
            zero=f"double y[M]; {ZERO}",
            merge=f"{MERGE}\n#pragma omp barrier\n\n#pragma omp for\n{J} z[j] = 2.0 * y[j];",
        ),
    ),
    "a sum that is only a part of another": (MORE, IN_MORE + f"{J} z[j] = y[j]; {J} z[j] = b[j] + z[j]; }}"),
    "two sums at once": (
        ROWS_TOO,
        text(
            head=HEAD.replace("y[M]", "y[M], double z[N]"),
            work=loop(f"z[i] = 0; {J} {{ z[i] += A[i][j]; own[j] += A[i][j]; }}"),
        ),
    ),
    "the least": (
        LEAST,
        text(
            head=HEAD.replace("double", "long"),
            zero=f"{J} y[j] = INT64_MAX;",
            start=f"long own[M]; {J} own[j] = INT64_MAX;",
            work=loop(f"{J} own[j] = A[i][j] < own[j] ? A[i][j] : own[j];"),
            merge=f"\n#pragma omp critical\n{J} y[j] = own[j] < y[j] ? own[j] : y[j];",
        ).replace("INT64_MAX", "9223372036854775807"),
    ),
}

WRONG = {
    "a part of another that is taken twice": (MORE, IN_MORE + f"{J} z[j] = y[j]; {J} z[j] = b[j] + z[j] + y[j]; }}"),
    "nothing is started": (COLUMNS, text(start="double own[M];")),
    "started from one": (COLUMNS, text(start=START.replace("= 0;", "= 1;").replace("j = 1", "j = 0"))),
    "only a part is started": (COLUMNS, text(start="double own[M]; for (long j = 1; j < M; j++) own[j] = 0;")),
    "started by one thread": (COLUMNS, text(start=f"double own[M];\n#pragma omp single\n{J} own[j] = 0;")),
    "started again": (COLUMNS, text(work=f"{FIRST} {J} own[j] = 0;{SECOND}")),
    "started from what is there": (COLUMNS, text(start=f"double own[M]; {J} own[j] = y[j];")),
    "merged twice": (COLUMNS, text(merge=MERGE + MERGE)),
    "merged in rounds": (COLUMNS, text(merge=f"for (long r = 0; r < 2; r++) {{ {MERGE} }}")),
    "merged without a lock": (COLUMNS, text(merge=f"{J} y[j] += own[j];")),
    "merged under two locks": (
        COLUMNS,
        text(
            start=f"{START} double more[M]; {J} more[j] = 0;",
            work=f"{FIRST}{SECOND.replace('own', 'more')}",
            merge=MERGE.replace("critical", "critical (a)")
            + MERGE.replace("own", "more").replace("critical", "critical (b)"),
        ),
    ),
    "only a part is merged": (COLUMNS, text(merge=MERGE.replace("j < M", "j < M - 1"))),
    "another cell is merged": (COLUMNS, text(merge=MERGE.replace("own[j]", "own[M - 1 - j]"))),
    "one cell is merged": (COLUMNS, text(merge=MERGE.replace("own[j]", "own[0]"))),
    "merged into another cell": (COLUMNS, text(merge=MERGE.replace("y[j]", "y[M - 1 - j]"))),
    "merged beyond the end": (COLUMNS, text(merge=MERGE.replace("j < M", "j <= M"))),
    "taken away": (COLUMNS, text(merge=MERGE.replace("+=", "-="))),
    "merged between two loops": (COLUMNS, text(work=FIRST, merge=MERGE + SECOND)),
    "merged by whoever comes": (COLUMNS, text(merge=f"\n#pragma omp single\n{J} y[j] += own[j];")),
    "merged in the iterations": (
        COLUMNS,
        text(work=loop(f"{J} own[j] += A[i][j];{MERGE}"), merge=""),
    ),
    "the last iteration counts": (COLUMNS, text(work=loop(f"{J} own[j] = A[i][j];"))),
    "the first iteration overwrites": (
        COLUMNS,
        text(work=loop(f"{J} {{ if (i == 0) own[j] = A[i][j]; else own[j] += A[i][j]; }}")),
    ),
    "a register that forgets": (
        COLUMNS,
        text(work=loop(f"{J} {{ double sum = 0; sum += A[i][j]; own[j] = sum; }}")),
    ),
    "what is there is doubled": (COLUMNS, text(work=loop(f"{J} own[j] = own[j] + own[j] + A[i][j];"))),
    "what is there is halved": (COLUMNS, text(work=loop(f"{J} own[j] = 0.5 * own[j] + A[i][j];"))),
    "what is there changes its sign": (COLUMNS, text(work=loop(f"{J} own[j] = A[i][j] - own[j];"))),
    "what is there moves on": (
        COLUMNS,
        text(
            work=loop(
                f"double t[M]; {J} t[j] = own[j]; {J} own[j] = t[M - 1 - j]; {J} own[j] += A[i][j];",
            )
        ),
    ),
    "what is there is shown": (
        ROWS_TOO,
        text(
            head=HEAD.replace("y[M]", "y[M], double z[N]"),
            work=loop(f"z[i] = own[0]; {J} {{ z[i] += A[i][j]; own[j] += A[i][j]; }}"),
        ),
    ),
    "in lanes": (COLUMNS, text(work=WORK.replace("for\n", "for simd\n", 1))),
    "started in between": (COLUMNS, text(zero="", merge=f"{MERGE}\n#pragma omp single\n{{ {ZERO} }}")),
    "one thread starts what is shared, and nobody waits": (
        COLUMNS,
        text(zero="", work=f"{WORK.replace('for', 'for nowait', 1)}\n#pragma omp single nowait\n{{ {ZERO} }}"),
    ),
    "used before all have merged": (
        DOUBLED,
        text(
            head=HEAD.replace("double y[M]", "double z[M]"),
            zero=f"double y[M]; {ZERO}",
            merge=f"{MERGE}\n#pragma omp for\n{J} z[j] = 2.0 * y[j];",
        ),
    ),
    "used before anybody has merged": (
        DOUBLED,
        text(
            head=HEAD.replace("double y[M]", "double z[M]"),
            zero=f"double y[M]; {ZERO}",
            merge=f"\n#pragma omp for\n{J} z[j] = 2.0 * y[j];\n{MERGE}",
        ),
    ),
    "what is shared is used while they work": (
        COLUMNS,
        text(work=loop(f"{J} own[j] += A[i][j]; y[0] += 0;")),
    ),
    "what another array holds is merged": (
        COLUMNS,
        text(start=f"{START} double more[M]; {J} more[j] = 0;", merge=MERGE.replace("own", "more")),
    ),
    "each thread goes round": (
        COLUMNS,
        text(start=f"{START} for (long r = 0; r < 2; r++) {{", merge=f"}} {MERGE}"),
    ),
    "each thread goes round, and starts once": (
        COLUMNS,
        text(
            start="double own[M]; for (long r = 0; r < 2; r++) { if (r == 0) {" + f"{J} own[j] = 0; }}",
            merge=f"{MERGE} }}",
        ),
    ),
    "started too late": (
        COLUMNS,
        text(
            start="double own[M]; for (long j = 0; j < 1; j++) own[j] = 0;",
            work=f"{FIRST.replace(' nowait', '')} for (long j = 1; j < M; j++) own[j] = 0;{SECOND}",
        ),
    ),
    "every thread adds something": (COLUMNS, text(merge=f"{J} own[j] += 1; {MERGE}")),
    "the greatest int is no identity": (
        LEAST,
        RIGHT["the least"][1]
        .replace("9223372036854775807; \n", "2147483647; \n")
        .replace("own[j] = 9223372036854775807", "own[j] = 2147483647"),
    ),
    "the least that is overwritten": (
        LEAST,
        RIGHT["the least"][1].replace("own[j] = A[i][j] < own[j] ? A[i][j] : own[j];", "own[j] = A[i][j];"),
    ),
}


FEW = "for (long j = 0; j < (M < 60 ? M : 60); j++)"
LATE = {
    "only the first sixty are started": text(start=f"double own[M]; {FEW} own[j] = 0;"),
    "those behind sixty start from one": text(
        start=f"double own[M]; {FEW} own[j] = 0; for (long j = 60; j < M; j++) own[j] = 1;"
    ),
    "only the first sixty are merged": text(merge=MERGE.replace(J, FEW)),
    "those behind sixty are merged twice": text(merge=MERGE + MERGE.replace("j = 0", "j = 60")),
    "those behind sixty go elsewhere": text(merge=MERGE.replace("own[j]", "own[j < 60 ? j : 60]")),
    "iteration sixty overwrites": text(work=loop(f"{J} {{ if (i == 60) own[j] = A[i][j]; else own[j] += A[i][j]; }}")),
    "from iteration sixty on what is there is halved": text(
        work=loop(f"{J} {{ if (i < 60) own[j] += A[i][j]; else own[j] = 0.5 * own[j] + A[i][j]; }}")
    ),
    "a register that forgets from sixty on": text(
        work=loop(
            f"{J} {{ double sum = own[j]; if (i >= 60) {{ sum = 0; }} sum += A[i][j]; own[j] = sum; }}",
        )
    ),
    "iteration sixty moves what is there": text(
        work=loop(f"{J} own[j] += A[i][j]; if (i == 60) {{ double t = own[0]; own[0] = own[M - 1]; own[M - 1] = t; }}")
    ),
}
"""No run of the model comes to what is wrong here: it is for the obligations to see it."""
WRONG |= {name: (COLUMNS, kernel) for name, kernel in LATE.items()}


@pytest.mark.parametrize("name", RIGHT)
def test_what_threads_collect_is_proved(name: str) -> None:
    found = asked(*RIGHT[name])
    assert found.is_proved, [finding.message for finding in found.findings]


@pytest.mark.parametrize("name", WRONG)
def test_what_may_go_wrong_is_not(name: str) -> None:
    program, kernel = WRONG[name]
    assert kernel not in {right for _, right in RIGHT.values()}
    assert not asked(program, kernel).is_proved
