"""Guarantees of generated code: sizes that cannot be addressed and parameters outside the context are rejected,
memory that cannot be had is an error after all else was freed, arrays are aligned, nothing is global.
"""

import subprocess
from pathlib import Path

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verify import certify, verify
from alphaz.run.compiler import find_compiler
from alphaz.scripting.interpreter.python_api import run as run_script
from tests.codegen.generated_kernels import SANITIZED, compile_program, run, write
from tests.thinning import thinned

pytestmark = pytest.mark.slow

KERNELS = Path(__file__).parents[2] / "samples" / "kernels"

# Counts what is allocated and freed; the allocation with the number `failing` fails.
COUNTING = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "3mm.h"
static int allocated, freed, failing, crooked;
void *counted_alloc(size_t alignment, size_t bytes);
void counted_free(void *array);
void *counted_alloc(size_t alignment, size_t bytes)
{
    if (allocated + 1 == failing) return NULL;
    void *array = aligned_alloc(alignment, bytes);
    allocated += 1;
    crooked += (uintptr_t)array % 64 != 0 || bytes % alignment != 0;
    return array;
}
void counted_free(void *array)
{
    freed += array != NULL;
    free(array);
}
int main(void)
{
    static double A[6], B[6], C[6], D[6], G[4];
    int most = 0;
    for (failing = 0; failing < most + 2; failing++) {
        most = allocated > most ? allocated : most;
        allocated = freed = 0;
        const int status = n_3mm_status(2, 3, 2, 2, 2, A, B, C, D, G);
        printf("%d: status %d, %d allocated, %d freed, %d crooked\\n", failing, status, allocated, freed, crooked);
    }
    n_3mm(2, 3, 2, 2, 0, A, B, C, D, G);
    printf("%d", n_3mm_status(2, 3, 2, 2, -1, A, B, C, D, G));
    printf("%d", n_3mm_status(INT64_MAX, 3, 2, 2, 2, A, B, C, D, G));
    printf("%d", n_3mm_status(INT64_MIN, 3, 2, 2, 2, A, B, C, D, G));
    printf("%d\\n", n_3mm_status(INT64_C(1) << 39, INT64_C(1) << 39, 2, 2, 2, A, B, C, D, G));
    return 0;
}
"""

# What is asked of the allocator, and of the system, for a small array and for a large one.
PAGES = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "jacobi-2d.h"
static size_t aligned, given;
static void *array;
static int advised;
void *seen_alloc(size_t alignment, size_t bytes);
int seen_advice(void *address, size_t length, int advice);
void *seen_alloc(size_t alignment, size_t bytes)
{
    aligned = alignment;
    given = bytes;
    array = aligned_alloc(alignment, bytes);
    return array;
}
int seen_advice(void *address, size_t length, int advice)
{
    advised = address == array && length == given ? advice : -2;
    return 0;
}
int main(void)
{
    for (int64_t N = 16; N <= 800; N += 784) {
        double *A = calloc((size_t)(N * N), sizeof(double)), *B = calloc((size_t)(N * N), sizeof(double));
        advised = -1;
        jacobi_x2d_2d_status(N, 10, A, B);
        printf("%zu %d %.1f\\n", aligned, advised, B[N * N - 1]);
        free(A);
        free(B);
    }
    return 0;
}
"""

# Two kernels in two threads, many times at once, each against its result alone.
AT_ONCE = """
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "jacobi-2d.h"
enum { N = 24, T = 7 };
typedef struct { double A[N][N], alone[N][N], now[N][N]; int wrong; } job;
static job jobs[2];
static void *work(void *given)
{
    job *my = given;
    for (int time = 0; time < 20; time++) {
        memset(my->now, 0, sizeof(my->now));
        my->wrong += jacobi_x2d_2d_status(N, T, &my->A[0][0], &my->now[0][0]) != 0;
        my->wrong += memcmp(my->now, my->alone, sizeof(my->now)) != 0;
    }
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    for (int j = 0; j < 2; j++) {
        for (int at = 0; at < N * N; at++) (&jobs[j].A[0][0])[at] = (at * 7 + j * 13) % 11;
        jacobi_x2d_2d_status(N, T, &jobs[j].A[0][0], &jobs[j].alone[0][0]);
    }
    for (int j = 0; j < 2; j++) pthread_create(&threads[j], NULL, work, &jobs[j]);
    for (int j = 0; j < 2; j++) pthread_join(threads[j], NULL);
    printf("%d wrong\\n", jobs[0].wrong + jobs[1].wrong);
    return 0;
}
"""


def generated(kernel: str, folder: Path) -> None:
    """The tuned code of a kernel."""
    design = run_script(KERNELS / kernel / f"{kernel}-tuned.cs")
    (system,) = design.mapped_systems
    write(scheduled_c(certify(verify(design)), system), folder)


def test_memory_that_cannot_be_had_is_an_error_and_nothing_is_kept(tmp_path: Path) -> None:
    """3mm has two arrays and, in front of parallel loops and in them, buffers: none fails, or any one of them."""
    generated("3mm", tmp_path)
    (tmp_path / "main.c").write_text(COUNTING, encoding="utf-8")
    hooks = ("-Daligned_alloc=counted_alloc", "-Dfree=counted_free")
    compiler = find_compiler()
    command = [*compiler.command, *SANITIZED, *compiler.thread_flags, *hooks, "-c", "3mm.c"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    compile_program(tmp_path, "main", ["main.c", "3mm.o"], SANITIZED)
    done = run(tmp_path, "./main", environment={"ASAN_OPTIONS": "detect_leaks=0", "OMP_NUM_THREADS": "1"})
    first, *failed, last, codes = done.stdout.splitlines()
    count = len(failed)
    assert count >= 8
    everything = f"status 0, {count} allocated, {count} freed, 0 crooked"
    assert [first, last] == [f"0: {everything}", f"{count + 1}: {everything}"]
    assert failed == [f"{at}: status 3, {at - 1} allocated, {at - 1} freed, 0 crooked" for at in range(1, count + 1)]
    assert codes == "1222"
    assert done.stderr == "n_3mm: the parameter values are not valid\n"


def test_a_large_array_asks_for_large_pages(tmp_path: Path) -> None:
    """The one array of jacobi-2d, of 3 KiB and of 5 MiB: its alignment, and the advice that is given on it."""
    generated("jacobi-2d", tmp_path)
    (tmp_path / "main.c").write_text(PAGES, encoding="utf-8")
    hooks = ("-Daligned_alloc=seen_alloc", "-Dmadvise=seen_advice")
    compiler = find_compiler()
    command = [*compiler.command, *SANITIZED, *compiler.thread_flags, *hooks, "-c", "jacobi-2d.c"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    compile_program(tmp_path, "main", ["main.c", "jacobi-2d.o"], SANITIZED)
    assert run(tmp_path, "./main").stdout.splitlines() == ["64 -1 0.0", "2097152 14 0.0"]


def test_two_kernels_in_two_threads(tmp_path: Path) -> None:
    generated("jacobi-2d", tmp_path)
    (tmp_path / "main.c").write_text(AT_ONCE, encoding="utf-8")
    compile_program(tmp_path, "main", ["main.c", "jacobi-2d.c"], ("-O2", "-pthread", "-Wno-conversion"))
    assert run(tmp_path, "./main").stdout == "0 wrong\n"


@pytest.mark.parametrize("kernel", thinned(["jacobi-2d", "gemver", "nussinov"], 3))
def test_nothing_is_global(kernel: str, tmp_path: Path) -> None:
    """No symbol of the compiled code is in writable memory."""
    generated(kernel, tmp_path)
    compiler = find_compiler()
    flags = ("-std=c11", "-O2", "-fno-pic", *compiler.thread_flags)
    subprocess.run([*compiler.command, *flags, "-c", f"{kernel}.c"], cwd=tmp_path, check=True, timeout=120)
    listed = subprocess.run(["nm", f"{kernel}.o"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    writable = [line for line in listed.stdout.splitlines() if line.split()[-2] in "bBdDcC"]
    assert writable == []
