"""The C main program that calls a function once in a process of its own: for generated code, and for C that is proved.

    program IN OUT MEMBERS numbers... (bytes and rows of each array)...

IN has the contents of the inputs one after another; OUT gets a `RunReport`, then the contents of the outputs. Another
file defines the call:

    int call__(const long long *numbers, void **arrays);

An array with rows is passed as pointers to its rows (rows: 0 for all others). Arrays have guard zones: those of
AddressSanitizer under sanitizers, otherwise own ones, also around the arrays that the function allocates, where its
files are compiled with `GUARDS`. Without arguments the program does nothing. With `each COUNT` in front of its
arguments a repeated program executes so many calls one after another, with the files IN0, OUT0, IN1, .., until one
fails: each call in a copy of the process, which starts sooner than a program does.

The `Harness` of the target gives the number of members (threads, or processes). All processes call the function with
the same arguments, and the outputs of the first one count.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import takewhile
from math import prod
from pathlib import Path

import numpy as np

from alphaz.codegen.toolchain import Harness
from alphaz.codegen.wrapper.main_template import NOW
from alphaz.processes.external import ProcessOutcome, run
from alphaz.run.packaged_programs import located

# The allocations of generated code go through functions of this main program.
GUARDS = tuple(f"-D{name}=guarded_{name}" for name in ("malloc", "calloc", "realloc", "aligned_alloc", "free"))
# Arrays are padded to whole pieces of memory, in which a write would not be noticed: `tight` removes the padding.
_ROUNDED, _TIGHT = "aligned_alloc(page, whole)", "tight(page, whole, (size_t)bytes)"
_DECLARED = "#include <stddef.h>\nvoid *tight(size_t alignment, size_t whole, size_t bytes);\n"
_REPORT = "=iiiid"
NO_EXCHANGE = 98
"""The exit status where inputs or outputs cannot be exchanged as files, or there is no memory for arrays."""


@dataclass(frozen=True, slots=True)
class HarnessArray:
    """An array that is passed: whether IN has it, whether OUT gets it, and whether the function must not change it."""

    is_input: bool
    is_output: bool
    is_constant: bool = False


@dataclass(frozen=True, slots=True)
class RunReport:
    """The status of the function; the number (from 1) of the array outside of which it wrote, and of the input that it
    changed (0: none); the number of its own arrays outside of which it wrote; seconds of wall clock.
    """

    status: int
    outside: int
    changed: int
    own: int
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class PassedArray:
    """An array of one call, as its `HarnessArray` states: with the content of an input. With rows it is passed as
    pointers to them.
    """

    shape: tuple[int, ...]
    type: str
    content: np.ndarray | None = None
    is_output: bool = False
    has_rows: bool = False

    @property
    def size(self) -> int:
        """Returns the bytes."""
        return prod(self.shape) * np.dtype(self.type).itemsize


@dataclass(frozen=True, slots=True, eq=False)
class HarnessRun:
    """The end of the program, its report where there is one, and the outputs, in the order of the arrays."""

    outcome: ProcessOutcome
    report: RunReport | None = None
    outputs: Sequence[np.ndarray] = ()


def run_harness(
    parts: Harness,
    program: Path,
    folder: Path,
    numbers: Iterable[int],
    arrays: Sequence[PassedArray],
    members: int,
    seconds: float,
) -> HarnessRun:
    """Runs the program in a folder, with this many members (0: its default) and seconds of processor time."""
    _write_inputs(folder / "in", arrays)
    (folder / "out").unlink(missing_ok=True)
    arguments = ("in", "out", *_counts(members, numbers, arrays))
    outcome = run([*_starter(parts, members), str(program), *arguments], folder, seconds)
    return _read_run(folder / "out", arrays, outcome) if outcome.succeeded else HarnessRun(outcome)


def _starter(parts: Harness, members: int) -> tuple[str, ...]:
    """Returns the words before the program; their command may be in an installed package."""
    words = parts.command(members)
    return (located(words[0]), *words[1:]) if words else ()


def can_repeat(parts: Harness) -> bool:
    """Returns True if a program may copy its process: the target starts none, and nothing in it."""
    return not parts.start and not parts.command(1)


def run_each(
    parts: Harness,
    program: Path,
    folder: Path,
    numbers: Sequence[int],
    calls: Sequence[Sequence[PassedArray]],
    members: int,
    seconds: float,
) -> Iterator[HarnessRun]:
    """Yields the runs of a `repeated` program for calls whose arrays have the same shapes, in order: those that succeed
    together, and from the first other one on each as `run_harness` does.
    """
    together: list[HarnessRun] = []
    if len(calls) > 1:
        for position, arrays in enumerate(calls):
            _write_inputs(folder / f"in{position}", arrays)
            (folder / f"out{position}").unlink(missing_ok=True)
        arguments = ("each", str(len(calls)), "in", "out", *_counts(members, numbers, calls[0]))
        outcome = run([*_starter(parts, members), str(program), *arguments], folder, seconds)
        if outcome.status is not None:
            runs = (_read_run(folder / f"out{position}", arrays, _ENDED) for position, arrays in enumerate(calls))
            together += takewhile(lambda done: done.report is not None, runs)
            # The last of them may have failed after it had written its outputs.
            together = together if outcome.succeeded else together[:-1]
    yield from together
    for arrays in calls[len(together) :]:
        yield run_harness(parts, program, folder, numbers, arrays, members, seconds)


_ENDED = ProcessOutcome(0, "", "")


def _write_inputs(path: Path, arrays: Sequence[PassedArray]) -> None:
    path.write_bytes(b"".join(array.content.tobytes() for array in arrays if array.content is not None))


def _counts(members: int, numbers: Iterable[int], arrays: Sequence[PassedArray]) -> Iterator[str]:
    sizes = (size for array in arrays for size in (array.size, array.shape[0] if array.has_rows else 0))
    return map(str, (members, *numbers, *sizes))


def _read_run(path: Path, arrays: Sequence[PassedArray], outcome: ProcessOutcome) -> HarnessRun:
    """Returns the run whose report and outputs are in the file, as far as they are."""
    out = path.read_bytes() if path.exists() else b""
    at = struct.calcsize(_REPORT)
    if len(out) < at + sum(array.size for array in arrays if array.is_output):
        return HarnessRun(outcome)
    outputs = []
    for array in arrays:
        if array.is_output:
            outputs.append(np.frombuffer(out, array.type, prod(array.shape), at).reshape(array.shape).copy())
            at += array.size
    return HarnessRun(outcome, RunReport(*struct.unpack_from(_REPORT, out)), outputs)


def tight(text: str) -> str:
    """Returns a generated file without padding after the last element of an array."""
    return f"{_DECLARED}{text.replace(_ROUNDED, _TIGHT)}" if _ROUNDED in text else text


def harness(
    parts: Harness,
    numbers: int,
    arrays: Sequence[HarnessArray],
    *,
    unset: int,
    alignment: int = 64,
    is_guarding: bool = False,
    is_repeated: bool = False,
) -> str:
    """Returns the main program for a call with this many numbers and these arrays, with the texts of a target.

    `unset` is the content of each byte that is not initialised; `is_guarding`: it also watches the arrays that the
    function allocates; `is_repeated`: it has the mode `each` (see `can_repeat`).
    """
    counts = {"NUMBERS": numbers, "ARRAYS": len(arrays), "ALIGNMENT": alignment, "UNSET": unset, "FAILED": NO_EXCHANGE}
    head = f"enum {{ {', '.join(f'{name} = {value}' for name, value in counts.items())} }};\n"
    kinds = {
        "is_input": [array.is_input for array in arrays],
        "is_output": [array.is_output for array in arrays],
        "is_constant": [array.is_constant for array in arrays],
    }
    for name, flags in kinds.items():
        head += f"static const char {name}[ARRAYS + 1] = {{{', '.join(str(int(flag)) for flag in (*flags, False))}}};\n"
    own = {
        "@INCLUDES@": parts.includes,
        "@START@": parts.start,
        "@SET_MEMBERS@": parts.set_members,
        "@IS_FIRST@": parts.is_first or "1",
        "@END@": parts.end,
    }
    main = _REPEATED.replace("@MAIN@", _MAIN.replace(*_ONCE)) if is_repeated else _MAIN
    text = "\n".join([_INCLUDES, head, _ZONES, *([_OWN] if is_guarding else []), NOW, main])
    return reduce(lambda filled, mark: filled.replace(mark, own[mark]), own, text)


_INCLUDES = """\
#undef malloc
#undef calloc
#undef realloc
#undef aligned_alloc
#undef free
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
@INCLUDES@

int call__(const long long *numbers, void **arrays);
"""

_ZONES = """\
/* AddressSanitizer has guard zones of its own; what stays allocated is none of its business. */
#if defined(__SANITIZE_ADDRESS__)
#define ZONE 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ZONE 0
#endif
#endif
#ifndef ZONE
#define ZONE 4096
#endif
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

#define MARK 0xA5

static atomic_int own_outside;

#if ZONE == 0

void __asan_poison_memory_region(const volatile void *begin, size_t size);
int posix_memalign(void **array, size_t alignment, size_t bytes); /* which strict headers leave out */

static void *guarded(size_t alignment, size_t bytes)
{
    void *array = NULL;
    if (posix_memalign(&array, alignment, bytes) != 0) {
        return NULL;
    }
    memset(array, UNSET, bytes);
    if (bytes == 0) { /* it has one byte nevertheless */
        __asan_poison_memory_region(array, 1);
    }
    return array;
}

static int is_whole(const void *array) { return array != NULL; }

static void release(void *array) { free(array); }

#else

/* What stands in front of an array: what was allocated, where the array is, how large it is. */
struct head {
    unsigned char *block;
    size_t bytes;
};

static struct head head_of(const void *array)
{
    struct head head;
    memcpy(&head, (const unsigned char *)array - ZONE - sizeof head, sizeof head);
    return head;
}

static void *guarded(size_t alignment, size_t bytes)
{
    size_t first = (sizeof(struct head) + ZONE + alignment - 1) / alignment * alignment;
    if (bytes > SIZE_MAX / 2 - first) {
        return NULL;
    }
    unsigned char *block = malloc(first + bytes + ZONE + alignment);
    if (block == NULL) {
        return NULL;
    }
    unsigned char *array = block + first;
    array += (alignment - (uintptr_t)array % alignment) % alignment;
    struct head head = {block, bytes};
    memset(array - ZONE, MARK, ZONE);
    memset(array + bytes, MARK, ZONE);
    memset(array, UNSET, bytes);
    memcpy(array - ZONE - sizeof head, &head, sizeof head);
    return array;
}

static int is_whole(const void *array)
{
    const unsigned char *at = array;
    size_t bytes = head_of(array).bytes;
    for (size_t i = 0; i < ZONE; i++) {
        if (at[bytes + i] != MARK || at[-1 - (ptrdiff_t)i] != MARK) {
            return 0;
        }
    }
    return 1;
}

static void release(void *array)
{
    if (array != NULL) {
        if (!is_whole(array)) {
            atomic_fetch_add(&own_outside, 1);
        }
        free(head_of(array).block);
    }
}

#endif
"""

_OWN = """\
#if ZONE != 0

void *guarded_malloc(size_t bytes);
void *guarded_calloc(size_t count, size_t size);
void *guarded_realloc(void *array, size_t bytes);
void *guarded_aligned_alloc(size_t alignment, size_t bytes);
void guarded_free(void *array);

void *guarded_malloc(size_t bytes) { return guarded(64, bytes); }
void *guarded_aligned_alloc(size_t alignment, size_t bytes) { return guarded(alignment, bytes); }

void *guarded_calloc(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / 2 / size) {
        return NULL;
    }
    void *array = guarded(64, count * size);
    if (array != NULL) {
        memset(array, 0, count * size);
    }
    return array;
}

void guarded_free(void *array) { release(array); }

void *guarded_realloc(void *array, size_t bytes)
{
    void *next = guarded(64, bytes);
    if (next != NULL && array != NULL) {
        size_t before = head_of(array).bytes;
        memcpy(next, array, before < bytes ? before : bytes);
        guarded_free(array);
    }
    return next;
}

#endif

void *tight(size_t alignment, size_t whole, size_t bytes);

void *tight(size_t alignment, size_t whole, size_t bytes)
{
    (void)whole;
    return guarded(alignment, bytes);
}
"""

_MAIN = """\
static int failed(const char *why)
{
    fprintf(stderr, "%s\\n", why);
    return FAILED;
}

static int is_changed(FILE *in, const unsigned char *array, size_t bytes)
{
    unsigned char before[4096];
    int changed = 0;
    while (bytes > 0) {
        size_t part = bytes < sizeof before ? bytes : sizeof before;
        if (fread(before, 1, part, in) != part) {
            return 1;
        }
        changed |= memcmp(before, array, part) != 0;
        array += part;
        bytes -= part;
    }
    return changed;
}

/* Returns pointers to copies of the rows. */
static void *apart(const char *bytes, size_t rows, size_t size)
{
    char **found = malloc(rows * sizeof(char *));
    for (size_t i = 0; i < rows; i++) {
        found[i] = malloc(size);
        memcpy(found[i], bytes + i * size, size);
    }
    return found;
}

/* Copies the rows back. */
static void together(void *passed, char *bytes, size_t rows, size_t size)
{
    char **found = passed;
    for (size_t i = 0; i < rows; i++) {
        memcpy(bytes + i * size, found[i], size);
        free(found[i]);
    }
    free(found);
}

int main(int argc, char **argv)
{
    long long numbers[NUMBERS + 1] = {0};
    void *arrays[ARRAYS + 1], *passed[ARRAYS + 1];
    size_t bytes[ARRAYS + 1], rows[ARRAYS + 1];
    int32_t report[4] = {0, 0, 0, 0};
    if (argc < 2) {
        return 0;
    }
    const int members = argc > 3 ? atoi(argv[3]) : 0;
    (void)members;
@START@
    FILE *in = argc == 4 + NUMBERS + 2 * ARRAYS ? fopen(argv[1], "rb") : NULL;
    if (in == NULL) {
        return failed("the inputs cannot be read");
    }
    if (members > 0) {
@SET_MEMBERS@
    }
    for (int at = 0; at < NUMBERS; at++) {
        numbers[at] = strtoll(argv[4 + at], NULL, 10);
    }
    for (int at = 0; at < ARRAYS; at++) {
        bytes[at] = (size_t)strtoull(argv[4 + NUMBERS + 2 * at], NULL, 10);
        rows[at] = (size_t)strtoull(argv[5 + NUMBERS + 2 * at], NULL, 10);
        arrays[at] = guarded(ALIGNMENT, bytes[at]);
        if (arrays[at] == NULL) {
            return failed("there is no memory for the arrays");
        }
        if (is_input[at] && fread(arrays[at], 1, bytes[at], in) != bytes[at]) {
            return failed("the inputs cannot be read");
        }
        passed[at] = rows[at] > 0 ? apart(arrays[at], rows[at], bytes[at] / rows[at]) : arrays[at];
    }
    double begin = now();
    report[0] = call__(numbers, passed);
    double seconds = now() - begin;
    rewind(in);
    for (int at = 0; at < ARRAYS; at++) {
        if (rows[at] > 0) {
            together(passed[at], arrays[at], rows[at], bytes[at] / rows[at]);
        }
        if (report[1] == 0 && !is_whole(arrays[at])) {
            report[1] = at + 1;
        }
        if (is_input[at] && is_changed(in, arrays[at], bytes[at]) && is_constant[at] && report[2] == 0) {
            report[2] = at + 1;
        }
    }
    report[3] = atomic_load(&own_outside);
    const int is_first = @IS_FIRST@;
    if (!is_first && (report[1] > 0 || report[2] > 0 || report[3] > 0)) { /* the first one reports for itself only */
        fprintf(stderr, "a process wrote outside of an array, or to an input\\n");
        abort();
    }
    FILE *out = is_first ? fopen(argv[2], "wb") : NULL;
    if (is_first && (out == NULL || fwrite(report, sizeof report, 1, out) != 1 ||
                     fwrite(&seconds, sizeof seconds, 1, out) != 1)) {
        return failed("the outputs cannot be written");
    }
    for (int at = 0; at < ARRAYS; at++) {
        if (is_first && is_output[at] && fwrite(arrays[at], 1, bytes[at], out) != bytes[at]) {
            return failed("the outputs cannot be written");
        }
    }
    for (int at = 0; at < ARRAYS; at++) {
        release(arrays[at]);
    }
    const int is_closed = (out == NULL || fclose(out) == 0) && fclose(in) == 0;
@END@
    return is_closed ? 0 : FAILED;
}
"""

_ONCE = ("int main(", "static int once(")
_REPEATED = """\
#include <sys/wait.h>
#include <unistd.h>

@MAIN@
int main(int argc, char **argv)
{
    if (argc < 5 || strcmp(argv[1], "each") != 0) {
        return once(argc, argv);
    }
    char in[32], out[32], *files[2] = {argv[3], argv[4]};
    for (int at = 0; at < atoi(argv[2]); at++) {
        int status = 0;
        pid_t copy = fork();
        if (copy == 0) {
            snprintf(in, sizeof in, "%s%d", files[0], at);
            snprintf(out, sizeof out, "%s%d", files[1], at);
            argv[3] = in;
            argv[4] = out;
            return once(argc - 2, argv + 2);
        }
        if (copy < 0 || waitpid(copy, &status, 0) != copy || status != 0) {
            return FAILED;
        }
    }
    return 0;
}
"""
