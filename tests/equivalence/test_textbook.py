"""C as textbooks and strangers write it: initial values, choices of indices, loops that ask at their end, sections."""

import pytest

from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from tests.equivalence.test_results import verdict

pytestmark = pytest.mark.slow

HEAD = "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
SUM = (
    "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B;\nlet\n"
    " B = reduce(+, [k], {| 0<=k<N} : A[k]);\n.\n"
)
SMOOTH = (
    f"{HEAD} B[i] = case {{| i==0}} : 0.5*A[0] + 0.25*A[1]; {{| 0<i<N-1}} : 0.25*A[i-1] + 0.5*A[i] + 0.25*A[i+1];"
    " {| i==N-1} : 0.25*A[N-2] + 0.5*A[N-1]; esac;\n.\n"
)
WINDOW = f"{HEAD} B[i] = reduce(+, [k], {{| i-3<=k<=i && k>=0}} : A[k]);\n.\n"
RING = f"{HEAD} B[i] = case {{| i<N-1}} : A[i+1]; {{| i==N-1}} : A[0]; esac;\n.\n"
BACK = f"{HEAD} B[i] = case {{| i>0}} : A[i-1]; {{| i==0}} : A[N-1]; esac;\n.\n"
S = "void s(int N, const double *A, double *B) "
R = "double s(int N, const double *A) "
LOOP = "for (int i = 0; i < N; i++)"
PARTS = (
    f"{R}{{ double part[8] = {{0}}; double s = 0;\n%s\nfor (int t = 0; t < 8; t++) for (int i = %s; i < N; i += 8)"
    " part[%s] += A[i];\nfor (int t = 0; t < 8; t++) s += part[t]; return s; }"
)
THREADS = "#pragma omp parallel for"
WEIGHTED = (
    f"{S}{{ %s; B[0] = w[1]*A[0] + w[2]*A[1]; for (int i = 1; i < N - 1; i++) B[i] = w[0]*A[i-1] + w[1]*A[i]"
    " + w[2]*A[i+1]; B[N-1] = w[0]*A[N-2] + w[1]*A[N-1]; }"
)
FROM = f"{S}{{ {LOOP} {{ %s; double t = 0; for (int k = lo; k <= i; k++) t += A[k]; B[i] = t; }} }}"
NEXT = f"{S}{{ {LOOP} B[i] = A[%s]; }}"
TWICE = f"{HEAD} B[i] = 2.0 * A[i];\n.\n"
ASKED = f"{S}{{ int i = %s; do {{ B[i] = 2.0 * A[i]; %s }} while (%s); }}"
HALVES = (
    f"{S}{{ int n = N / 2;\n#pragma omp parallel sections\n{{\n#pragma omp section\n"
    "{ for (int i = 0; i < %s; i++) B[i] = 2.0 * A[i]; }\n#pragma omp section\n"
    "{ for (int i = n; i < %s; i++) B[i] = 2.0 * A[i]; }\n} }"
)
STEPS = (
    f"{S}{{ double *p = malloc(N * sizeof(double));\n#pragma omp parallel\n{{\n#pragma omp sections%s\n{{\n"
    "for (int i = 0; i < N; i++) p[i] = A[N - 1 - i];\n}\n#pragma omp for\n"
    "for (int i = 0; i < N; i++) B[i] = 2.0 * p[N - 1 - i];\n} free(p); }"
)

GATHERED = (
    "affine s {N | N>=3}\ninput\n int at {i | 0<=i<N};\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\n"
    "let\n B[i] = A[i];\n.\n"
)
GATHER = f"void s(int N, const int *at, const double *A, double *B) {{ {LOOP} {{ %s }} }}"
WIDER = "affine s {N | N>=3}\ninput\n int A {i | 0<=i<N};\noutput\n long B {i | 0<=i<N};\nlet\n B[i] = A[i];\n.\n"
WIDEN = f"void s(int N, const int *A, long *B) {{ {LOOP} {{ long x = A[i]; B[i] = %s; }} }}"

ALL = (
    "affine s {N,M | N>=2 && M>=2}\ninput\n double A {i,j | 0<=i<N && 0<=j<M};\noutput\n double B;\nlet\n"
    " B = reduce(+, [i,j], A[i,j]);\n.\n"
)
ADD = (
    "double s(long N, long M, const double *A) {{ double s = 0;\n#pragma omp {}\nfor (long i = 0; i < N; i++)\n{}\n"
    "for (long j = 0; j < M; j++) {}\nreturn s; }}"
)
EACH = "s += A[i * M + j];"
OVER_ALL = "#pragma omp {}\nfor (long i = 0; i < N; i++) for (long j = 0; j < M; j++) {}"


def region(clause: str, *inside: str) -> str:
    lines = "\n".join(inside)
    return (
        f"double s(long N, long M, const double *A) {{ double s = 0;\n#pragma omp parallel {clause}\n{{\n{lines}\n}}"
        " return s; }"
    )


IN_A_ROW = (
    "double s(long N, long M, const double *A) { double s = 0;\n#pragma omp parallel for%s\n"
    "for (long i = 0; i < N * M; i++) s += A[i];\nreturn s; }"
)

COUNTING = f"{S}{{ %s {LOOP} {{ %s }} }}"
COUNTED_IN_HEAD = f"{S}{{ %s for (int i = 0; i < N; i++, %s) %s }}"

WALK = f"{R}{{ double s = 0; %s for (%s) {{ %s }} return s; }}"

RIGHT = {
    "a counter": (TWICE, COUNTING % ("int k = 0;", "B[k] = 2.0 * A[i]; k++;")),
    "a counter that steps where it is used": (TWICE, COUNTING % ("int k = 0;", "B[i] = 2.0 * A[k++];")),
    "a counter that steps before": (TWICE, COUNTING % ("int k = -1;", "double x = A[++k]; B[k] = 2.0 * x;")),
    "a counter that starts elsewhere": (TWICE, COUNTING % ("int k = 3;", "k += 1; B[k - 4] = 2.0 * A[i];")),
    "a counter downwards": (TWICE, COUNTING % ("int k = N;", "B[--k] = 2.0 * A[N - 1 - i];")),
    "a counter by twos": (TWICE, COUNTING % ("int k = 0;", "B[k / 2] = 2.0 * A[k / 2]; k += 2;")),
    "a counter of a loop downwards": (
        TWICE,
        f"{S}{{ int k = 0; for (int i = N - 1; i >= 0; i--) {{ B[k] = 2.0 * A[N - 1 - i]; k++; }} }}",
    ),
    "pointers that step": (TWICE, COUNTING % ("const double *p = A; double *q = B;", "*q++ = 2.0 * *p++;")),
    "arguments that step": (TWICE, COUNTING % ("", "*B++ = 2.0 * *A++;")),
    "pointers that step in the head": (
        TWICE,
        COUNTED_IN_HEAD % ("const double *p = A; double *q = B;", "p++, q++", "*q = 2.0 * *p;"),
    ),
    "a pointer for each row": (
        ALL,
        "double s(long N, long M, const double *A) { double s = 0; const double *row = A;"
        " for (long i = 0; i < N; i++) { const double *p = row; for (long j = 0; j < M; j++) s += *p++; row += M; }"
        " return s; }",
    ),
    "a pointer to the end": (SUM, WALK % ("", "const double *p = A; p < A + N; p++", "s += *p;")),
    "a pointer to the end, which has a name": (
        SUM,
        WALK % ("const double *const end = &A[N];", "const double *p = A; p != end; ++p", "s += *p;"),
    ),
    "a pointer to the end, and a counter": (
        SUM,
        WALK % ("int k = 0;", "const double *p = A; p < A + N; p++, k++", "s += k >= 0 ? p[0] : A[k];"),
    ),
    "a pointer to the end, of threads": (
        SUM,
        WALK % ("\n#pragma omp parallel for reduction(+ : s)\n", "const double *p = A; p < A + N; p++", "s += *p;"),
    ),
    "what is printed": (TWICE, COUNTING % ("", 'B[i] = 2.0 * A[i]; printf("%d of %d\\n", i, N);')),
    "what is asserted": (TWICE, COUNTING % ("assert(N > 2 && A != B);", "assert(i < N); B[i] = 2.0 * A[i];")),
    "until it is the end": (TWICE, f"{S}{{ for (int i = 0; i != N; ++i) B[i] = 2.0 * A[i]; }}"),
    "until it is the end, downwards": (TWICE, f"{S}{{ for (int i = N - 1; i != -1; i--) B[i] = 2.0 * A[i]; }}"),
    "a region that is a loop": (
        ALL,
        ADD.format("parallel\n#pragma omp for collapse(2) reduction(+ : s)", "", EACH),
    ),
    "a region that adds up": (ALL, region("reduction(+ : s)", OVER_ALL.format("for", EACH))),
    "a region that adds up two loops": (
        ALL,
        region(
            "reduction(+ : s)",
            OVER_ALL.format("for", f"if (i > j) {EACH}"),
            OVER_ALL.format("for", f"if (i <= j) {EACH}"),
        ),
    ),
    "two loops in one": (ALL, ADD.format("parallel for collapse(2) reduction(+ : s)", "", EACH)),
    "lanes of threads": (ALL, ADD.format("parallel for reduction(+ : s)", "#pragma omp simd reduction(+ : s)", EACH)),
    "all elements in a row": (ALL, IN_A_ROW % " reduction(+ : s)"),
    "a number in a wider one": (WIDER, WIDEN % "x"),
    "a whole number as a real one": (WIDER.replace("long", "double"), WIDEN.replace("long", "double") % "x"),
    "asked at the end": (TWICE, ASKED % ("0", "i++;", "i < N")),
    "asked at the end, downwards": (TWICE, ASKED % ("N - 1", "i -= 1;", "i >= 0")),
    "asked at the end, with the step": (TWICE, ASKED % ("0", "", "++i < N")),
    "asked at the end, before the step": (TWICE, ASKED % ("0", "", "i++ < N - 1")),
    "sections": (TWICE, HALVES % ("n", "N")),
    "sections, and then all": (TWICE, STEPS % ""),
    "sums of parts that begin with zeros": (SUM, PARTS % (THREADS, "t", "t")),
    "a table of zeros": (SUM, f"{R}{{ double p[2][2] = {{{{0}}}}; {LOOP} p[1][1] += A[i]; return p[1][1]; }}"),
    "the rest is zero": (SUM, f"{R}{{ double p[2] = {{1.0}}; {LOOP} p[1] += A[i]; return p[1]; }}"),
    "numbers that are listed": (SMOOTH, WEIGHTED % "double w[3] = {0.25, 0.5, 0.25}"),
    "constants that are listed": (SMOOTH, WEIGHTED % "static const double w[] = {0.25, 0.5, 0.25}"),
    "no less than zero": (WINDOW, FROM % "int lo = i > 3 ? i - 3 : 0"),
    "no less than zero, in other words": (WINDOW, FROM % "int lo = i - 3 < 0 ? 0 : i - 3"),
    "no less than zero, by branches": (WINDOW, FROM % "int lo; if (i < 3) lo = 0; else lo = i - 3"),
    "no less than zero, by a macro": (
        WINDOW,
        "#define MAX(a, b) ((a) >= (b) ? (a) : (b))\n" + FROM % "int lo = MAX(0, i - 3)",
    ),
    "unsigned, and no less than zero": (
        WINDOW,
        "#include <stddef.h>\n" + (FROM % "size_t lo = i >= 3 ? i - 3 : 0").replace("int", "size_t"),
    ),
    "once around": (RING, NEXT % "i == N - 1 ? 0 : i + 1"),
    "once around, by the rest": (RING, NEXT % "(i + 1) % N"),
    "once around, backwards": (BACK, NEXT % "(i - 1 + N) % N"),
}

WRONG = {
    "a counter that steps too early": (TWICE, COUNTING % ("int k = 0;", "k++; B[i] = 2.0 * A[k < N ? k : 0];")),
    "a counter that steps before it is used": (
        TWICE,
        COUNTING % ("int k = 0;", "B[i] = 2.0 * A[k < N - 1 ? k + 1 : k]; k++;"),
    ),
    "a counter that starts too late": (TWICE, COUNTING % ("int k = 1;", "B[k - 1] = 2.0 * A[k % N]; k++;")),
    "pointers that step one way": (TWICE, COUNTING % ("const double *p = A + N; double *q = B;", "*q++ = 2.0 * *--p;")),
    "a pointer to the last": (SUM, WALK % ("", "const double *p = A; p < A + (N - 1); p++", "s += *p;")),
    "a pointer from the second": (SUM, WALK % ("", "const double *p = A + 1; p < A + 1 + (N - 1); p++", "s += *p;")),
    "until it is the last": (TWICE, f"{S}{{ for (int i = 0; i != N - 1; i++) B[i] = 2.0 * A[i]; B[N-1] = 0.0; }}"),
    "a region that adds up too little": (
        ALL,
        region("reduction(+ : s)", OVER_ALL.format("for", f"if (j > 0) {EACH}")),
    ),
    "two loops in one, too short": (
        ALL,
        ADD.format("parallel for collapse(2) reduction(+ : s)", "", f"if (j > 0) {EACH}"),
    ),
    "two loops in one, the last of all": (
        ALL,
        ADD.format("parallel for collapse(2) reduction(+ : s)", "", "s = s + A[0];"),
    ),
    "a number in a wider one, and one more": (WIDER, WIDEN % "x + 1"),
    "asked at the end, from the second": (TWICE, ASKED % ("1", "i++;", "i < N")),
    "asked at the end, once too often": (TWICE, ASKED % ("0", "i++;", "i <= N")),
    "asked at the end, by twos": (TWICE, ASKED % ("0", "i += 2;", "i < N")),
    "asked at the end, before a step too many": (TWICE, ASKED % ("0", "", "i++ < N")),
    "a section that ends early": (TWICE, HALVES % ("n", "N - 1")),
    "parts one further": (SUM, PARTS % ("", "t + 1", "t")),
    "parts of all but one": (SUM, PARTS.replace("i += 8", "i += 9") % ("", "t", "t")),
    "one that is listed": (SUM, f"{R}{{ double p[2] = {{1.0}}; {LOOP} p[0] += A[i]; return p[0]; }}"),
    "numbers in another order": (SMOOTH, WEIGHTED % "double w[3] = {0.5, 0.25, 0.25}"),
    "two of three numbers": (SMOOTH, WEIGHTED % "double w[3] = {0.25, 0.5}"),
    "fewer numbers": (SMOOTH, WEIGHTED % "static const double w[] = {0.25, 0.5}"),
    "from one less": (WINDOW, FROM % "int lo = i > 2 ? i - 2 : 0"),
    "from the first for longer": (WINDOW, FROM % "int lo = i > 5 ? i - 3 : 0"),
    "once around, too early": (RING, NEXT % "i == N - 2 ? 0 : i + 1"),
    "once around, to the second": (RING, NEXT % "i + 1 < N ? i + 1 : 1"),
    "once around, from one less": (RING, NEXT % "(i + 1) % (N - 1)"),
}  # fmt: skip

OPEN = {
    "a counter that does not always step": (
        TWICE,
        COUNTING % ("int k = 0;", "B[i] = 2.0 * A[k]; if (A[i] > 0.0) k++;"),
        "this subscript is not affine: it depends on data, the value of `k`",
    ),
    "a counter that may not step": (
        TWICE,
        COUNTING % ("int k = 0;", "B[i] = A[i] > 0.0 ? A[k++] : 0.0;"),
        "this subscript is not affine: ",
    ),
    "a counter by the iterator": (
        TWICE,
        COUNTING % ("int k = 0;", "B[i] = 2.0 * A[k]; k += i;"),
        "this subscript is not affine: it depends on data, the value of `k`",
    ),
    "a counter by data": (
        GATHERED,
        GATHER.replace("{ for", "{ int k = 0; for") % "B[i] = A[k]; k += at[i];",
        "this subscript is not affine: it depends on data, the value of `k`",
    ),
    "a counter that steps twice": (
        TWICE,
        COUNTING % ("int k = 0;", "B[k] = 2.0 * A[k]; k++; k--;"),
        "this subscript is not affine: it depends on data, the value of `k`",
    ),
    "a counter that is asked for later": (
        TWICE,
        (COUNTING % ("int k = 0;", "B[k] = 2.0 * A[k]; k++;"))[:-1] + "B[k - 1] = 2.0 * A[k - 1]; }",
        "this subscript is not affine: it depends on data, the value of `k`",
    ),
    "a counter that somebody else may change": (
        TWICE,
        COUNTING % ("int k = 0; int *z = &k;", "B[i] = 2.0 * A[k]; k++; *z = i;"),
        "",
    ),
    "a counter of all threads": (
        TWICE,
        f"{S}{{ int k = 0;\n{THREADS}\n{LOOP} {{ B[k] = 2.0 * A[k]; k++; }} }}",
        "",
    ),
    "an argument that steps in each of two loops": (
        TWICE,
        f"{S}{{ for (int r = 0; r < 2; r++) {LOOP} *B++ = 2.0 * *A++; }}",
        "an assignment inside an expression is not supported",
    ),
    "a pointer to an end that is moved": (
        SUM,
        WALK % ("const double *e = A + N; e = e - 1;", "const double *p = A; p < e; p++", "s += *p;"),
        "the pointer `e` is reassigned other than by one step",
    ),
    "a pointer to an end that was another": (
        SUM,
        WALK % ("int n = N - 1; const double *e = A + n; n = N;", "const double *p = A; p < e; p++", "s += *p;"),
        "this subscript is not affine: it depends on data, the value of `n`",
    ),
    "a pointer to an end of another time": (
        SUM,
        WALK
        % (
            "int n; n = 0; const double *e = A + n; for (n = 0; n < N; n++)",
            "const double *p = A; p < e; p++",
            "s += *p;",
        ),
        "this subscript is not affine: it depends on data, the value of `n`",
    ),
    "a pointer to an end that is told from elsewhere": (
        SUM,
        WALK % ("", "const double *p = A + 1; p < A + N; p++", "s += p[-1];"),
        "a `for` loop must initialise one integer iterator in its head",
    ),
    "a pointer that moves twice": (
        SUM,
        WALK % ("", "const double *p = A; p < A + N; p++", "s += *p; p++;"),
        "a `for` loop must initialise one integer iterator in its head",
    ),
    "what is printed of memory": (
        TWICE,
        COUNTING % ("", 'B[i] = 2.0 * A[i]; printf("%f\\n", A[N]);'),
        "cannot interpret the call of `printf`",
    ),
    "what is read where it is printed": (
        TWICE,
        COUNTING % ("int n = 0;", 'B[i] = 2.0 * A[i]; printf("%n", &n);'),
        "cannot interpret the call of `printf`",
    ),
    "what is asserted of data": (
        TWICE,
        COUNTING % ("assert(A[0] > 0.0);", "B[i] = 2.0 * A[i];"),
        "cannot interpret the call of `assert`",
    ),
    "until it is the end, by twos": (
        TWICE,
        f"{S}{{ for (int i = 0; i != N; i += 2) B[i] = 2.0 * A[i]; }}",
        "this loop condition may hold again after it has failed",
    ),
    "until it is the end, which is behind": (
        TWICE,
        f"{S}{{ for (int i = 4; i != N; i++) B[i] = 2.0 * A[i]; }}",
        "with `!=` this loop may start past its end, and then does not stop there",
    ),
    "a lock before a loop that is shared out": (
        ALL,
        ADD.format("critical\n#pragma omp for reduction(+ : s)", "", EACH),
        "a statement can have only one directive: combine them, or use a block",
    ),
    "a region for one sum": (ALL, region("", OVER_ALL.format("for", EACH)), "not proved: no race for s"),
    "a part of a sum that is looked at": (
        ALL,
        region("reduction(+ : s)", OVER_ALL.format("for", EACH), "#pragma omp single\ns = 2.0 * s;"),
        "`s` is a reduction variable of `omp parallel`: each thread has only a part of it",
    ),
    "a part of a sum in a loop of one thread": (
        ALL,
        region("reduction(+ : s)", OVER_ALL.format("single", EACH)),
        "`s` is a reduction variable of `omp parallel`: each thread has only a part of it",
    ),
    "two loops for parts of a sum, at once": (
        ALL,
        region(
            "reduction(+ : s)",
            OVER_ALL.format("for nowait", f"if (i > j) {EACH}"),
            OVER_ALL.format("for", f"if (i <= j) {EACH}"),
        ),
        "not proved: no race for s",
    ),
    "a sum of parts that somebody else sets": (
        ALL,
        region("reduction(+ : s)", "#pragma omp single\n*q = 0.0;", OVER_ALL.format("for", EACH)).replace(
            "s = 0;", "s = 0; double *q = &s;"
        ),
        "`q` refers to the shared variable, but `s` is private to each thread in the reduction",
    ),
    "a product of parts that are added": (
        ALL,
        region("reduction(* : s)", OVER_ALL.format("for", EACH)),
        "`s` is an accumulator of `reduction(..)`, but is used otherwise here",
    ),
    "two loops in one for one sum": (
        ALL,
        ADD.format("parallel for collapse(2)", "", EACH),
        "not proved: no race for s",
    ),
    "threads for one sum, of lanes": (
        ALL,
        ADD.format("parallel for", "#pragma omp simd reduction(+ : s)", EACH),
        "not proved: no race for s",
    ),
    "lanes for one sum, of threads": (
        ALL,
        ADD.format("parallel for reduction(+ : s)", "#pragma omp simd", EACH),
        "not proved: no race for s",
    ),
    "all elements in a row for one sum": (ALL, IN_A_ROW % "", "not proved: no race for s"),
    "a sum that is looked at": (
        ALL,
        ADD.format("parallel for collapse(2) reduction(+ : s)", "", "s += A[i * M + j] * s;"),
        "`s` is an accumulator of `reduction(..)`, but is used otherwise here",
    ),
    "a subscript that is data": (
        GATHERED,
        GATHER % "B[i] = A[at[i]];",
        "this subscript is not affine: it depends on data, the contents of `at`",
    ),
    "a subscript that is data, by name": (
        GATHERED,
        GATHER % "int k = at[i] - 1; B[i] = A[k];",
        "this subscript is not affine: it depends on data, the value of `k`",
    ),
    "a subscript that is data, in a wider number": (
        GATHERED,
        GATHER % "long k = at[i]; B[i] = A[k];",
        "this subscript is not affine: it depends on data, the value of `k`",
    ),
    "as long as data says": (
        GATHERED,
        GATHER % "for (int k = 0; k < at[i]; k++) B[i] = A[k];",
        "the bounds of this loop are not affine: it depends on data, the contents of `at`",
    ),
    "asked at the end, of none": (
        TWICE.replace("N>=3", "N>=0"),
        ASKED % ("0", "i++;", "i < N"),
        "not proved: ",
    ),
    "how long is data": (TWICE, ASKED % ("0", "i++;", "A[i] > 0.0"), "the bounds of this loop are not affine"),
    "what is asked is no step": (
        TWICE,
        ASKED % ("0", "if (i == 1) continue; i++;", "i < N"),
        "`do` statements are not supported",
    ),
    "sections that meet": (TWICE, HALVES % ("n + 1", "N"), "not proved: no race"),
    "sections that nobody waits for": (TWICE, STEPS % " nowait", "not proved: "),
    "two statements in a section": (
        TWICE,
        (HALVES % ("n", "N")).replace("{ for (int i = n", "B[0] = 2.0 * A[0]; { for (int i = n"),
        "this form of `omp sections` is not supported",
    ),
    "a section of its own": (
        TWICE,
        f"{S}{{\n#pragma omp section\n{LOOP} B[i] = 2.0 * A[i]; }}",
        "this form of `omp sections` is not supported",
    ),
    "parts of all threads in one": (SUM, PARTS % (THREADS, "t", "0"), "not proved: no race"),
    "a sum that stays": (
        SUM,
        f"{R}{{ static double p[2] = {{0}}; {LOOP} p[1] += A[i]; return p[1]; }}",
        "`p` is `static`: values kept between calls are not supported",
    ),
    "a number that stays": (
        SUM,
        f"{R}{{ static double t = 0; {LOOP} t += A[i]; return t; }}",
        "`t` is `static`: values kept between calls are not supported",
    ),
    "a number of another file": (
        SUM,
        f"{R}{{ extern double t; {LOOP} t += A[i]; return t; }}",
        "`t` is `extern`: objects of other files are not supported",
    ),
    "initial values by places": (
        SUM,
        f"{R}{{ double p[2] = {{[1] = 1.0}}; {LOOP} p[0] += A[i]; return p[0]; }}",
        "this initializer is not supported: expected a list of values",
    ),
    "more initial values than elements": (
        SUM,
        f"{R}{{ double p[1] = {{0.0, 0.0}}; {LOOP} p[0] += A[i]; return p[0]; }}",
        "this initializer is not supported: expected a list of values",
    ),
    "initial values of no constant size": (
        SUM,
        f"{R}{{ double p[N] = {{0}}; {LOOP} p[0] += A[i]; return p[0]; }}",
        "an array of variable size cannot have an initializer",
    ),
    "around more than once": (RING, NEXT % "(i + N + 1) % N", "the dividend of `%` may be twice the divisor or more"),
    "all elements of half the rows": (
        RING,
        f"{S}{{ for (int i = 0; i < (N / 2) * N; i++) B[i] = A[i]; }}",
        "the bounds of this loop are not affine",
    ),
    "around what is below zero": (BACK, NEXT % "(i - 1) % N", "not proved: "),
}


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_proved(name: str) -> None:
    found = verdict(*RIGHT[name])
    assert found.is_proved, [finding.message for finding in found.findings]


@pytest.mark.parametrize("name", WRONG)
def test_what_looks_like_it_goes_wrong_when_it_is_executed(name: str) -> None:
    assert verdict(*WRONG[name], executes=True).verdict == "refuted"


@pytest.mark.parametrize("name", OPEN)
def test_what_is_not_understood_is_told(name: str) -> None:
    program, text, said = OPEN[name]
    found = verdict(program, text)
    assert found.verdict == "undecided"
    assert found.findings[0].message.startswith(said), found.findings[0].message


# Which of the parts is read is a quotient of iterators: that is refused. Of two sums, each of which may be empty, the
# equations are written, and not proved.
_NO_EQUATIONS = ("sums of parts that begin with zeros", "a region that adds up two loops")


@pytest.mark.parametrize("name", [each for each in RIGHT if each not in _NO_EQUATIONS])
def test_its_equations_are_proved(name: str) -> None:
    assert from_c(Source("k.c", RIGHT[name][1])).is_proved


@pytest.mark.parametrize(("test", "said"), [("N > 2", ()), ("N % 4 == 0", ("what is asserted in line 1 holds",))])
def test_what_is_asserted_and_not_known_is_taken_for_granted(test: str, said: tuple[str, ...]) -> None:
    found = verdict(TWICE, COUNTING % (f"assert({test});", "B[i] = 2.0 * A[i];"))
    assert found.is_proved
    assert found.assumed == ("no index exceeds the 32 bits of its type", *said)
