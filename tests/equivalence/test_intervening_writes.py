"""Buffers that are filled with the same again and again: the writer close by is the one whose value is read."""

from importlib import import_module

import pytest

from alphaz.equivalence.kernel_obligation import KernelObligation
from alphaz.equivalence.obligations import kernel_obligations
from alphaz.equivalence.proof_context import ProofContext
from tests.equivalence.test_questions import asked, moved

TWICE = """affine twice {N,T | N>=2 && T>=2}
input
	double A {h,j | 0<=h<2 && 0<=j<N};
	double x {t | 0<=t<T};
output
	double y {t,h,j | 0<=t<T && 0<=h<2 && 0<=j<N};
let
	y[t,h,j] = A[h,j] * x[t];
.
"""
C = """void twice(long N, long T, const double A[2][N], const double *x, double y[T][2][N])
{
    double buffer[N];
    for (long t = 0; t < T; t++) {
        for (long h = 0; h < 2; h++) {
            for (long j = 0; j < N; j++) {
                buffer[j] = A[h][j];
            }
            /* here */
            for (long k = 0; k < N; k++) {
                y[t][h][k] = buffer[k] * x[t];
            }
        }
    }
}
"""


def kept(about: ProofContext) -> KernelObligation:
    """That what is in the buffer stays there."""
    asked_ = (question for question in kernel_obligations(about) if question.family == "C4")
    (found,) = (each for each in asked_ if each.claim.startswith("A from buffer"))
    return found


def holds(question: KernelObligation) -> bool:
    assert question.lemma is not None
    return question.lemma()


@pytest.mark.slow
def test_the_writer_in_the_same_iteration_is_not_disturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    question = kept(asked(TWICE, C))
    assert holds(question)
    assert question.violations().is_empty()
    # Somebody else, in an earlier round, is: other halves come between.
    monkeypatch.setattr(import_module("alphaz.equivalence.reader_obligations"), "none_disturbed", lambda *_: False)
    assert not holds(kept(asked(TWICE, C)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("/* here */", "buffer[0] = 0;"),
        ("/* here */", "for (long m = t; m < N; m++) buffer[m] = x[t];"),
        ("j < N; j++) {\n                buffer", "j < N - t; j++) {\n                buffer"),
        ("(long j = 0; j < N; j++) {\n                buffer", "(long j = t; j < N; j++) {\n                buffer"),
        ("for (long h = 0; h < 2; h++) {", "#pragma omp parallel for\nfor (long h = 0; h < 2; h++) {"),
    ],
)  # fmt: skip
def test_what_is_lost_is_not_shown_to_stay(right: str, wrong: str) -> None:
    assert C.count(right) == 1
    question = kept(moved(asked(TWICE, C), asked(TWICE, C.replace(right, wrong))))
    assert not holds(question)
    assert not question.violations().is_empty()


def test_who_writes_afterwards_is_not_close() -> None:
    start = C.index("            for (long j")
    middle = C.index("            /* here */")
    end = C.index("        }\n    }\n}")
    late = C[:start] + C[middle:end] + C[start:middle] + C[end:]
    assert not holds(kept(moved(asked(TWICE, C), asked(TWICE, late))))
