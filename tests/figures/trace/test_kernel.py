"""The order of C at small parameters."""

import pytest

from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import read_alone
from alphaz.figures.drawing.figures import figure
from alphaz.figures.trace.kernel import trace_of_kernel
from alphaz.figures.trace.trace_data import Trace
from alphaz.scop import CKernel

ROWS = """void rows(long N, const double A[N][N], double y[N]) {
    for (long i = 0; i < N; i++) {
        y[i] = 0.0;
        for (long j = 0; j < N; j++)
            y[i] += A[i][j];
    }
}"""


def kernel(text: str) -> CKernel:
    return read_alone(Source("kernel.c", text))


def traced(text: str, n: int = 3) -> Trace:
    trace = trace_of_kernel(kernel(text), [{"N": n}], "proved")
    assert isinstance(trace, Trace)
    return trace


def steps(text: str) -> dict[str, int]:
    return {str(operation): operation.step for operation in traced(text).operations}


def test_loops_are_in_sequence() -> None:
    result = steps(ROWS)
    assert result["y:3[0]"] == 1
    assert result["y:5[0,2]"] == 4
    assert result["y:3[1]"] == 5
    assert result["y:5[2,2]"] == 12


@pytest.mark.parametrize("loop", ["parallel for", "simd"])
def test_iterations_without_an_order_share_their_steps(loop: str) -> None:
    result = steps(ROWS.replace("    for (long i", f"#pragma omp {loop}\n    for (long i"))
    assert result["y:4[0]"] == result["y:4[2]"] == 1
    assert result["y:6[2,2]"] == 4


def test_what_no_barrier_separates_has_no_order() -> None:
    text = """void f(long N, double x[N], double y[N]) {
#pragma omp parallel
    {
#pragma omp for nowait
        for (long i = 0; i < N; i++) x[i] = 1.0;
#pragma omp for
        for (long i = 0; i < N; i++) y[i] = 2.0;
    }
}"""
    assert set(steps(text).values()) == {1}
    assert max(steps(text.replace(" nowait", "")).values()) == 2


def test_a_loop_that_counts_down_runs_in_that_order() -> None:
    text = "void f(long N, double x[N]) { for (long i = N - 1; i >= 0; i--) x[i] = 1.0; }"
    assert steps(text) == {"x:1[2]": 1, "x:1[1]": 2, "x:1[0]": 3}


def test_reads_know_who_has_written() -> None:
    shown = traced(ROWS)
    by_name = {str(operation): operation.number for operation in shown.operations}
    running = next(r for r in shown.reads if r.reader == by_name["y:5[0,1]"] and r.cell.name == "y")
    assert running.producers == (by_name["y:5[0,0]"],)
    at_first = next(r for r in shown.reads if r.cell.name == "A")
    assert (at_first.producers, at_first.is_lost) == ((), False)
    assert not any(read.is_lost for read in shown.reads)


def test_the_sizes_that_show_most_are_chosen_and_those_where_it_goes_wrong_first() -> None:
    read = kernel(ROWS)
    sizes = [{"N": n} for n in range(1, 40)]
    trace = trace_of_kernel(read, sizes, "proved")
    assert isinstance(trace, Trace)
    assert trace.size == "N = 3"
    wrong = trace_of_kernel(read, sizes, "refuted", {"N": 2})
    assert isinstance(wrong, Trace)
    assert (wrong.size, wrong.why) == ("N = 2", "where it goes wrong")
    assert trace_of_kernel(read, [{"N": 30}], "proved") == "even the smallest parameters have more than 300 operations"


def test_there_are_figures_of_it() -> None:
    shown = traced(ROWS)
    assert "y:5[i,j]" in figure(shown, "dates").svg
    assert "rows" in figure(shown, "lifetimes").title
