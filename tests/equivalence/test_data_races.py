"""Data races: texts that have one are refuted without an execution, with a repair that makes them proved."""

import re

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SUMS = read_program(
    Source(
        "f.ab",
        """affine f {N,M | N>=2 && M>=2}
input double A {i,j | 0<=i<N && 0<=j<M};
output
 double s;
 double r {i | 0<=i<N};
 double c {j | 0<=j<M};
let
 s = reduce(+, [i,j], A[i,j]);
 r[i] = reduce(+, [j], A[i,j]);
 c[j] = reduce(+, [i], A[i,j]);
.
""",
    )
)
HEAD = "void f(int N, int M, double A[N][M], double *s, double *r, double *c)\n"
ROWS, EACH = "for (int i = 0; i < N; i++)", "for (int j = 0; j < M; j++)"
ALL = f"*s = t; {ROWS} {{ r[i] = 0; {EACH} r[i] += A[i][j]; }}"
COLUMNS = f"{EACH} c[j] = 0; {ROWS} {EACH} c[j] += A[i][j];"
BEGIN = f"{HEAD}{{ double t = 0; "


def whole(loops: str) -> str:
    """A right function but for the loops that sum up all elements in `t`."""
    return f"{BEGIN}\n{loops}\n{ALL}\n{COLUMNS} }}\n"


def columns(loops: str) -> str:
    """A right function but for the loops that sum up each column."""
    plain = "for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) t += A[i][j];"
    return f"{BEGIN}\n{plain}\n{ALL}\nfor (int j = 0; j < M; j++) c[j] = 0;\n{loops} }}\n"


def verdict(text: str, *, executes: bool = False) -> CVerdict:
    return prove_c(SUMS, Source("f.c", text), ProofTask(executes=executes))


FOR, SUM = "#pragma omp parallel for", f"{ROWS} {EACH} t += A[i][j];"
RACES = [
    (whole(f"{FOR}\n{SUM}"), "`reduction(+:t)`"),
    (whole(f"{FOR} collapse(2)\n{ROWS} {EACH}\nt += A[i][j];"), "`reduction(+:t)`"),
    (whole(f"#pragma omp parallel\n{{\n#pragma omp for\n{SUM}\n}}"), "`reduction(+:t)`"),
    (whole(f"{ROWS} {{\n{FOR}\n{EACH} t = t + A[i][j]; }}"), "`reduction(+:t)`"),
    (whole(f"double u;\n{FOR} reduction(+:t)\n{ROWS} {EACH} {{ u = A[i][j]; t += u; }}"), "`private(u)`"),
    (columns(f"{FOR}\n{ROWS} {EACH}\nc[j] += A[i][j];"), "`#pragma omp atomic`"),
    (columns(f"{FOR}\n{ROWS} {EACH}\nc[j] = A[i][j] + c[j];"), "`#pragma omp atomic`"),
    (columns(f"double u[1];\n{FOR}\n{EACH} {{ u[0] = 0; {ROWS} u[0] += A[i][j]; c[j] = u[0]; }}"), "`private(u)`"),
]


@pytest.mark.parametrize(("text", "repair"), thinned(RACES, 4))
def test_a_race_is_refuted_with_a_repair_that_is_proved(text: str, repair: str) -> None:
    found = verdict(text)
    (finding,) = found.findings
    assert (found.verdict, finding.rule.code, found.tried) == ("refuted", "AZ836", None)
    assert "has a data race" in finding.message
    assert repair in (finding.help or "")
    if repair:
        assert verdict(repaired(text, finding.help or "")).is_proved
    else:
        assert finding.help is None


def repaired(text: str, remedy: str) -> str:
    """The text after what a remedy says, carried out line by line."""
    match = re.search(r"`(?P<new>[^`]*)`.* line (?P<line>\d+)", remedy)
    assert match is not None
    lines = text.splitlines()
    at = int(match["line"]) - 1
    if match["new"].startswith("#"):
        assert lines[at].startswith(("c[j]", "t "))
        lines.insert(at, match["new"])
    else:
        lines[at] += f" {match['new']}"
    return "\n".join(lines) + "\n"


def test_two_threads_may_have_any_two_iterations() -> None:
    text = whole(f"#pragma omp parallel for num_threads(2)\n{SUM}")
    (finding,) = verdict(text).findings
    assert "has a data race" in finding.message
    assert verdict(repaired(text, finding.help or "")).is_proved


@pytest.mark.parametrize(
    "directive",
    thinned(
        [
            "omp parallel for num_threads(1)",
            "omp parallel for num_threads(N)",
            "omp parallel for num_threads(2) schedule(static)",
            "omp parallel for if(N > 100)",
            "omp parallel for schedule(static, 64)",
            "omp parallel for reduction(+:t)",
            "omp simd",
        ]
    ),
)
def test_iterations_that_one_thread_may_execute_have_no_certain_race(directive: str) -> None:
    assert verdict(whole(f"#pragma {directive}\n{SUM}")).verdict != "refuted"


@pytest.mark.parametrize(
    "loops",
    thinned(
        [
            f"{FOR}\n{ROWS} {EACH} {{\n#pragma omp atomic\nt += A[i][j]; }}",
            f"{FOR}\n{ROWS} {EACH} {{ if (A[i][j] > 1e300) t += A[i][j]; }}",
            f"#pragma omp parallel\n{{\n#pragma omp for nowait\n{ROWS} r[i] = 0;\n"
            f"#pragma omp for\n{ROWS} r[i] = 1;\n}}\n{SUM}",
            f"{FOR}\nfor (int k = 0; k < 1; k++)\n{{\n{FOR}\n{SUM}\n}}",
            f"{FOR}\nfor (int i = 0; i < 2; i++) r[(i - 2) / 2 + 1] = 0;\n{SUM}",
            f"#pragma omp parallel reduction(+:t)\n{{\n#pragma omp for nowait\n{ROWS} t += A[i][0];\n"
            f"#pragma omp for\n{ROWS} for (int j = 1; j < M; j++) t += A[i][j];\n}}",
        ],
        3,
    ),
)
def test_what_may_be_no_race_is_not_called_one(loops: str) -> None:
    """A lock, accesses that depend on data, loops without a barrier that one thread may share out alike, regions
    inside of others, which may have one thread, quotients of negative numbers, which the model rounds down, and two
    loops that add to the accumulator of a clause."""
    found = verdict(whole(loops))
    assert not any("data race" in finding.message for finding in found.findings)
