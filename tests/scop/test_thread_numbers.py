"""Ranges of iterations by thread: those that are read as a shared loop are a partition, by plain integers."""

from collections.abc import Callable
from itertools import product

import pytest

from alphaz.c import tree as c
from alphaz.diagnostics import Rejected
from alphaz.scop.c_model import KernelLoop, LoopKind
from alphaz.scop.thread_numbers import COUNT, ThreadNumbers, atom
from tests.scop.reading import kernel

_NONE = frozenset[str]()
_BEGIN = "int t = omp_get_thread_num(), nt = omp_get_num_threads();"
_CHUNK = "long chunk = (N + nt - 1) / nt;"
_REST = "long q = N / nt, r = N % nt;"

Share = Callable[[int, int, int], range]

RANGES: dict[str, tuple[str, str, str, Share]] = {
    "products": ("", "t * N / nt", "(t + 1) * N / nt", lambda t, nt, n: range(t * n // nt, (t + 1) * n // nt)),
    "another order": ("", "(N * t) / nt", "N * (1 + t) / nt", lambda t, nt, n: range(n * t // nt, n * (1 + t) // nt)),
    "chunks": (
        _CHUNK, "t * chunk", "t * chunk + chunk < N ? t * chunk + chunk : N",
        lambda t, nt, n: range(t * -(-n // nt), min(t * -(-n // nt) + -(-n // nt), n)),
    ),
    "chunks up to the next one": (
        _CHUNK, "t * chunk", "(t + 1) * chunk > N ? N : (t + 1) * chunk",
        lambda t, nt, n: range(t * -(-n // nt), min((t + 1) * -(-n // nt), n)),
    ),
    "the last thread has the rest": (
        "long chunk = N / nt;", "t * chunk", "t == nt - 1 ? N : t * chunk + chunk",
        lambda t, nt, n: range(t * (n // nt), n if t == nt - 1 else t * (n // nt) + n // nt),
    ),
    "the first threads have one more": (
        _REST, "t * q + (t < r ? t : r)", "t * q + (t < r ? t : r) + q + (t < r)",
        lambda t, nt, n: range(
            t * (n // nt) + min(t, n % nt), t * (n // nt) + min(t, n % nt) + n // nt + (t < n % nt)
        ),
    ),
    "one more up to the next one": (
        _REST, "t * q + (t < r ? t : r)", "(t + 1) * q + (t + 1 < r ? t + 1 : r)",
        lambda t, nt, n: range(t * (n // nt) + min(t, n % nt), (t + 1) * (n // nt) + min(t + 1, n % nt)),
    ),
}  # fmt: skip
OTHERS = {
    "without the rest": ("long chunk = N / nt;", "t * chunk", "t * chunk + chunk"),
    "one short": ("", "t * N / nt", "(t + 1) * N / nt - 1"),
    "begins late": ("", "(t + 1) * N / nt", "(t + 1) * N / nt"),
    "division first": ("", "t * (N / nt)", "(t + 1) * (N / nt)"),
    "chunks that overlap": (_CHUNK, "t * chunk", "t * chunk + chunk + 1 < N ? t * chunk + chunk + 1 : N"),
    "the first thread has the rest": ("long chunk = N / nt;", "t * chunk", "t == 0 ? N : t * chunk + chunk"),
    "chunks that are too long": ("long chunk = (N + nt) / nt;", "t * chunk", "t == nt - 1 ? N : t * chunk + chunk"),
    "two lengths": ("", "t * N / nt", "(t + 1) * (N - 1) / nt"),
    "another number of threads": ("", "t * N / nt", "(t + 1) * N / (nt + 1)"),
}


def _loops(declared: str, begin: str, end: str) -> list[LoopKind]:
    loop = f"for (long i = {begin}; i < ({end}); i++) A[i] = 0;"
    read = kernel(f"#pragma omp parallel\n{{ {_BEGIN} {declared}\n{loop} }}")
    return [part.kind for statement in read.statements for part in statement.date if isinstance(part, KernelLoop)]


@pytest.mark.parametrize(("declared", "begin", "end", "share"), RANGES.values(), ids=RANGES)
def test_ranges_that_are_shared_out_are_a_partition(declared: str, begin: str, end: str, share: Share) -> None:
    assert _loops(declared, begin, end) == [LoopKind.PARALLEL]
    for n, threads in product(range(13), range(1, 7)):
        assert [i for t in range(threads) for i in share(t, threads, n)] == [*range(n)]


def test_ranges_may_begin_elsewhere() -> None:
    read = kernel(
        f"#pragma omp parallel\n{{ {_BEGIN} for (long i = 2 + t * (N - 3) / nt; i < 2 + (t + 1) * (N - 3) / nt; i++)"
        " A[i] = 0; }"
    )
    (statement,) = read.statements
    assert [point for (point,) in statement.domain.points({"N": 7})] == [2, 3, 4, 5]


@pytest.mark.parametrize(("declared", "begin", "end"), OTHERS.values(), ids=OTHERS)
def test_other_ranges_are_not_shared_out(declared: str, begin: str, end: str) -> None:
    with pytest.raises(Rejected, match="omp_get"):
        _loops(declared, begin, end)


@pytest.mark.parametrize(
    "body",
    [
        "for (long i = omp_get_thread_num(); i < N; i += omp_get_max_threads()) A[i] = 0;",
        "for (long i = omp_get_thread_num(); i < N; i += omp_get_num_threads() + 1) A[i] = 0;",
        "for (long i = omp_get_thread_num(); i < N + omp_get_thread_num(); i += omp_get_num_threads()) A[i] = 0;",
        f"{_BEGIN} t = 0; for (long i = t * N / nt; i < (t + 1) * N / nt; i++) A[i] = 0;",
        f"{_BEGIN} long m = (long)A[0]; for (long i = t * m / nt; i < (t + 1) * m / nt; i++) A[i] = 0;",
        f"{_BEGIN} for (long k = t; k < N; k++) for (long i = t * k / nt; i < (t + 1) * k / nt; i++) A[i] = 0;",
    ],
)
def test_numbers_that_differ_between_threads_are_no_ranges(body: str) -> None:
    with pytest.raises(Rejected, match="omp_get"):
        kernel(f"#pragma omp parallel\n{{ {body} }}")


def test_the_number_of_threads_outside_of_a_region_is_another_one() -> None:
    call = c.Call(COUNT, ())
    before = ThreadNumbers({}, {}, _NONE, _NONE, _NONE, _NONE)
    assert before.of(call) is None
    assert before.inside(c.Omp("parallel", (), ())).of(call) == atom(COUNT)


def test_private_integers_have_no_value_from_before_the_region() -> None:
    loop = "for (long i = k + t * N / nt; i < k + (t + 1) * N / nt; i++) A[i] = 0;"
    with pytest.raises(Rejected, match="omp_get"):
        kernel(f"long k = 0;\n#pragma omp parallel private(k)\n{{ {_BEGIN} {loop} }}")
    assert kernel(f"long k = 0;\n#pragma omp parallel firstprivate(k)\n{{ {_BEGIN} {loop} }}").statements
