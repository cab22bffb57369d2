"""Measures the ceilings of this machine: bandwidth of memory and caches (the triad), and floating-point operations.

Source: McCalpin, Memory bandwidth and machine balance in current high performance computers, 1995.
"""

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.openmp import directive
from alphaz.codegen.wrapper.main_template import NOW
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import COMPILATION
from alphaz.machine import Cache, Ceiling, Machine
from alphaz.run.compiler import Compiler, find_compiler
from alphaz.run.library import NotCompiled, load
from alphaz.run.machine import remember, this_machine

_FLAGS = ("-O3", "-march=native", "-ffp-contract=fast")
# Doubles in each of the three arrays: 96 MiB, more than caches hold.
_LENGTH = 12_000_000
_STEPS = 40_000_000
# Bytes that each thread streams from a cache, again and again the same ones.
_STREAMED = 400_000_000
# Lines that begin with `@` are directives.
_SOURCE = """
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

NOW
/* Bytes a second: two arrays are read and one is written, five times; the best counts. */
double triad(int64_t n, int threads)
{
    double *a = malloc((size_t)n * 8), *b = malloc((size_t)n * 8), *c = malloc((size_t)n * 8), best = 0;
    if (a == NULL || b == NULL || c == NULL) goto end;
@ omp parallel for num_threads(threads)
    for (int64_t i = 0; i < n; i++) a[i] = 0, b[i] = (double)i, c[i] = 1;
    for (int time = 0; time < 5; time++) {
        const double begun = now();
@ omp parallel for simd num_threads(threads)
        for (int64_t i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];
        const double rate = 24 * (double)n / (now() - begun);
        if (rate > best && a[n - 1] > 0) best = rate;
    }
end:
    free(a);
    free(b);
    free(c);
    return best;
}

/* The same from a cache that holds what each thread has: n elements of three arrays, so many times. */
double stream(int64_t n, int64_t times, int threads)
{
    double *all = malloc((size_t)n * 24 * (size_t)threads), best = 0;
    if (all == NULL) return 0;
    for (int time = 0; time < 4; time++) {
        const double begun = now();
@ omp parallel for num_threads(threads) schedule(static, 1)
        for (int t = 0; t < threads; t++) {
            double *restrict a = all + 3 * n * t, *restrict b = a + n, *restrict c = b + n;
            if (time == 0) for (int64_t i = 0; i < n; i++) a[i] = 0, b[i] = (double)i, c[i] = 1;
            for (int64_t turn = 0; turn < times; turn++) {
                for (int64_t i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];
                __asm__ volatile("" : : "r"(a) : "memory");
            }
        }
        const double rate = 24 * (double)n * (double)times * threads / (now() - begun);
        if (time > 0 && rate > best && all[n - 1] > 0) best = rate;
    }
    free(all);
    return best;
}

/* Operations a second: independent chains of multiply-and-add, all in vector registers. */
#ifdef __AVX512F__
typedef double vector __attribute__((vector_size(64)));
#else
typedef double vector __attribute__((vector_size(32)));
#endif
enum { CHAINS = 12, LANES = sizeof(vector) / sizeof(double) };

double multiply_add(int64_t steps, int threads)
{
    double sum = 0, best = 0;
    for (int time = 0; time < 3; time++) {
        const double begun = now();
@ omp parallel num_threads(threads) reduction(+ : sum)
        {
            vector x[CHAINS], zero = {0};
            for (int c = 0; c < CHAINS; c++) x[c] = zero + c;
            for (int64_t s = 0; s < steps; s++) {
@ GCC unroll 12
                for (int c = 0; c < CHAINS; c++) x[c] = x[c] * 0.999999 + 0.5;
            }
            for (int c = 0; c < CHAINS; c++) sum += x[c][0];
        }
        const double rate = 2.0 * CHAINS * LANES * (double)steps * threads / (now() - begun);
        if (rate > best && sum > 0) best = rate;
    }
    return best;
}
"""


def _text() -> str:
    return re.sub(r"^@ (.*)$", lambda line: directive(line[1]), _SOURCE.replace("NOW", NOW), flags=re.MULTILINE)


def ceilings(
    threads: Sequence[int], caches: Sequence[Cache] = (), compiler: Compiler | None = None
) -> tuple[Ceiling, ...]:
    """Measures now, which takes a second or two; includes the rates of these caches, except the first. Raises Rejected
    (NO_COMPILER, COMPILATION).
    """
    try:
        library = load(Sources({"machine.c": _text()}), compiler or find_compiler(), _FLAGS, meaning=())
    except NotCompiled as problem:
        message = "the C compiler refused the program that measures the machine"
        raise Rejected(Diagnostic(COMPILATION, message, Label(NOWHERE), notes=problem.first_lines())) from None
    for function in (library.triad, library.multiply_add):
        function.restype = ctypes.c_double
        function.argtypes = [ctypes.c_int64, ctypes.c_int]
    library.stream.restype = ctypes.c_double
    library.stream.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_int]
    return tuple(
        Ceiling(
            threads=n,
            bytes=library.triad(_LENGTH, n),
            operations=library.multiply_add(_STEPS, n),
            caches=tuple(library.stream(size // 24, max(1, _STREAMED // size), n) for size in _filling(caches, n)),
        )
        for n in threads
    )


def _filling(caches: Sequence[Cache], threads: int) -> Iterator[int]:
    """Yields the bytes for each thread that fit into a cache and into none before it. All threads share the
    last cache.
    """
    for position, (before, cache) in enumerate(pairwise(caches), 2):
        yield max(cache.size // (2 * (threads if position == len(caches) else 1)), 3 * before.size // 2)


def measured(threads: Sequence[int], *, again: bool = False) -> Machine:
    """Returns this machine with its ceilings for this number of threads: measured once, and stored from then on.

    `again`: measured anew. Raises Rejected (NO_COMPILER, COMPILATION).
    """
    here = this_machine()
    known = {ceiling.threads: ceiling for ceiling in here.ceilings if not again}
    missing = [n for n in threads if n not in known or len(known[n].caches) != len(here.caches) - 1]
    if missing:
        known |= {ceiling.threads: ceiling for ceiling in ceilings(missing, here.caches)}
        here = replace(here, ceilings=tuple(sorted(known.values(), key=lambda ceiling: ceiling.threads)))
        remember(here)
    return replace(here, ceilings=tuple(known[count] for count in threads))
