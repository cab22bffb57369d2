"""The twelve cases that the proof of C was built for: `scripts/accept-proofs [1 5 12]` tries them all.

Right C has to be proved. Wrong C has to be refuted by an execution; where threads are wrong, which an execution need
not show, it has to be undecided at least.
"""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.equivalence.asking import KERNELS, foreign, generated, peer, verdict, with_claims
from tools.command_line import parser

HISTORIC = Path(__file__).parents[1] / "tests" / "equivalence" / "historic"
Case = Callable[[], None]


def proved(answer: CVerdict) -> None:
    assert answer.is_proved, answer.findings


def refuted(answer: CVerdict, said: str) -> None:
    """By an execution, in which `said` went wrong."""
    assert answer.verdict == "refuted", (answer.verdict, answer.findings)
    (only,) = answer.findings
    assert only.witness is not None
    assert "executed" in only.witness.sentence
    assert said in only.witness.sentence, only.witness.sentence


def not_proved(answer: CVerdict) -> None:
    assert answer.verdict in ("refuted", "undecided")
    assert answer.findings


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def historic(name: str, sizes: Mapping[str, int] | None = None, *, executes: bool = True) -> CVerdict:
    """C that this generator wrote for a proved mapping, before a fault was mended."""
    program, text = (
        Source(item, (HISTORIC / item).read_text(encoding="utf-8")) for item in (f"{name}.ab", f"{name}.c")
    )
    return prove_c(read_program(program), text, ProofTask(sizes=sizes, executes=executes))


# --- right ------------------------------------------------------------------------------------------------------------


def plain_code_of_all_kernels() -> None:
    """But of the knapsack, whose subscripts are data."""
    for script in sorted(KERNELS.glob("*/*.cs")):
        if script.stem == script.parent.name != "knapsack":
            proved(verdict(script.stem, generated(script.stem)))


def tuned_jacobi_within_ten_seconds() -> None:
    """With the claims of the generator, as `alphaz run --prove` proves it."""
    text, annotations = with_claims("jacobi-2d", "jacobi-2d-tuned")
    start = time.process_time()
    proved(verdict("jacobi-2d", text, told=annotations))
    assert time.process_time() - start < 10


def tuned_gemm() -> None:
    proved(verdict("gemm", generated("gemm", "gemm-tuned")))


def tuned_lu() -> None:
    text, annotations = with_claims("lu", "lu-tuned")
    proved(verdict("lu", text, told=annotations))


def textbook_gemm_without_claims() -> None:
    proved(verdict("gemm", peer("gemm")))


TWICE = """affine twice {N | N>=1}
input double x {i | 0<=i<N};
output double y {i | 0<=i<N};
local double t {i | 0<=i<N};
let
  t[i] = 2.0 * x[i];
  y[i] = case {| i==0} : t[i]; {| i>0} : t[i] + t[i-1]; esac;
."""


def a_value_that_fused_nests_compute_twice() -> None:
    text = """void twice(long N, const double x[N], double y[N]) {
        double t[N];
        for (long i = 0; i < N; i++) {
            if (i > 0)
                t[i - 1] = 2.0 * x[i - 1];
            t[i] = 2.0 * x[i];
            if (i > 0)
                y[i] = t[i] + t[i - 1];
            else
                y[i] = t[i];
        }
    }"""
    checked = read_program(Source("twice.ab", TWICE))
    proved(prove_c(checked, Source("twice.c", text), ProofTask(executes=False)))
    refuted(prove_c(checked, Source("twice.c", changed(text, "2.0 * x[i - 1]", "3.0 * x[i - 1]"))), "y[1]")


# --- wrong ------------------------------------------------------------------------------------------------------------


def values_that_were_added_twice() -> None:
    refuted(historic("twice"), "c[")


def an_only_part_that_was_lost() -> None:
    refuted(historic("lost"), "N=1: y[0] is 0.0")


def a_buffer_that_was_filled_beyond_its_tile() -> None:
    refuted(historic("beyond", {"ts1_l1": 5, "ts2_l1": 4, "ts2_l2": 3}), "heap-buffer-overflow")


def threads_that_wait_for_nobody() -> None:
    text = peer("jacobi-1d")
    not_proved(
        verdict("jacobi-1d", changed(text, "    for (int64_t t", "#pragma omp parallel for\n    for (int64_t t"))
    )
    text, loop = foreign("jacobi-2d--region"), "            for (int64_t i = 1; i < N - 1; i++)"
    not_proved(verdict("jacobi-2d", changed(text, f"#pragma omp for\n{loop}", f"#pragma omp for nowait\n{loop}")))


def a_column_of_a_block_that_is_never_computed() -> None:
    loop = "            for (int64_t j = k + 1; j < N; j++)"
    blocks = """            for (int64_t rj = 0; rj < N; rj += 4)
                for (int64_t j = rj > k + 1 ? rj : k + 1; j < rj + 4 && j < N; j++)"""
    text = changed(foreign("lu--right"), loop, blocks)
    proved(verdict("lu", text))
    refuted(verdict("lu", changed(text, "j < rj + 4", "j < rj + 3"), executes=True), "LU[")


def what_machines_write() -> None:
    """A copy that goes too far, a wrong neighbour, a wrong constant; and what is not understood is no success."""
    text = foreign("jacobi-2d--region")
    copy = "for (int64_t i = 0; i < N; i++)"
    refuted(verdict("jacobi-2d", changed(text, copy, copy.replace("<", "<=")), executes=True), "overflow")
    refuted(verdict("jacobi-2d", changed(text, "B[i][j - 1]", "B[i][j - 2]"), executes=True), "out of bounds")
    refuted(verdict("jacobi-2d", changed(text, "0.2 *", "0.25 *"), executes=True), "B[")
    for item in (verdict("knapsack", peer("knapsack")), historic("beyond", executes=False)):
        assert item.verdict == "undecided"
        assert item.findings[0].is_error


CASES: Mapping[int, Case] = dict(
    enumerate(
        (
            plain_code_of_all_kernels, tuned_jacobi_within_ten_seconds, tuned_gemm, tuned_lu,
            textbook_gemm_without_claims, a_value_that_fused_nests_compute_twice, values_that_were_added_twice,
            an_only_part_that_was_lost, a_buffer_that_was_filled_beyond_its_tile, threads_that_wait_for_nobody,
            a_column_of_a_block_that_is_never_computed, what_machines_write,
        ),
        start=1,
    )
)  # fmt: skip
LONG = frozenset({1, 2, 3, 4, 9})
"""Those that take more than the tests of a day have."""


def main(arguments: Sequence[str]) -> int:
    command = parser(
        "scripts/accept-proofs",
        "Proves and refutes the twelve cases that the prover of C was built for.",
        "scripts/accept-proofs 1 5 12",
    )
    command.add_argument("numbers", nargs="*", type=int, choices=[[], *CASES], metavar="NUMBER", help="default: all")
    failed = 0
    for number in command.parse_args(arguments).numbers or CASES:
        start, message = time.perf_counter(), "holds"
        try:
            CASES[number]()
        except AssertionError as reason:
            failed, message = failed + 1, f"does not hold: {str(reason).splitlines()[0][:200]}"
        name = CASES[number].__name__.replace("_", " ")
        sys.stdout.write(f"{number:2} {name}: {message} ({time.perf_counter() - start:.1f} s)\n")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
