"""The main program that executes a generated function in a separate process.

    program IN OUT THREADS numbers... bytes of each input and output...

IN holds the inputs one after another; OUT gets a `RunReport`, then the outputs. All arrays have guard zones, including
those that the function allocates: the other files are compiled with `GUARDS`.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.run.storage_conversion import UNSET

# The allocations of generated code go through functions of this main program.
GUARDS = tuple(f"-D{name}=guarded_{name}" for name in ("malloc", "calloc", "realloc", "aligned_alloc", "free"))
# Arrays are padded to whole pieces of memory, in which a write would not be noticed: `tight` removes the padding.
_ROUNDED, _TIGHT = "aligned_alloc(page, whole)", "tight(page, whole, (size_t)bytes)"
_DECLARED = "#include <stddef.h>\nvoid *tight(size_t alignment, size_t whole, size_t bytes);\n"
NAME = "isolated_main.c"


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

    LAYOUT = "=iiiid"

    @staticmethod
    def of(content: bytes) -> "RunReport | None":
        """Returns the report at the head of OUT; None where there is none."""
        size = struct.calcsize(RunReport.LAYOUT)
        return RunReport(*struct.unpack(RunReport.LAYOUT, content[:size])) if len(content) >= size else None

    @staticmethod
    def size() -> int:
        return struct.calcsize(RunReport.LAYOUT)


def tight(text: str) -> str:
    """Returns a generated file without padding after the last element of an array."""
    return f"{_DECLARED}{text.replace(_ROUNDED, _TIGHT)}" if _ROUNDED in text else text


def isolated_main(header: str, symbol: str, numbers: int, kept: Sequence[bool], outputs: int) -> str:
    """Returns the main program for a function `symbol` with this many numbers, inputs and outputs; `kept`: the inputs
    that it may not change.
    """
    inputs = len(kept)
    arguments = [f"numbers[{at}]" for at in range(numbers)] + [f"arrays[{at}]" for at in range(inputs + outputs)]
    text = _TEXT.replace("HEADER", header).replace("FUNCTION", symbol).replace("ARGUMENTS", ", ".join(arguments))
    text = text.replace("UNSET_BYTE", hex(UNSET)).replace("KEPT", ", ".join(str(int(each)) for each in (*kept, True)))
    return text.replace("NUMBERS", str(numbers)).replace("INPUTS", str(inputs)).replace("ARRAYS", str(inputs + outputs))


_TEXT = """\
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
#ifdef _OPENMP
#include <omp.h>
#endif
#include "HEADER"

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
#if ZONE == 0
void __asan_poison_memory_region(const volatile void *begin, size_t size);
#endif
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

#define MARK 0xA5
/* What is read before it is written is no value that anything could be right with. */
#define UNSET UNSET_BYTE

static atomic_int own_outside;

#if ZONE == 0

static void *guarded(size_t alignment, size_t bytes)
{
    size_t whole = (bytes / alignment + 1) * alignment;
    unsigned char *array = aligned_alloc(alignment, whole);
    if (array != NULL) {
        memset(array, UNSET, bytes);
        __asan_poison_memory_region(array + bytes, whole - bytes);
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

void guarded_free(void *array)
{
    if (array != NULL) {
        if (!is_whole(array)) {
            atomic_fetch_add(&own_outside, 1);
        }
        free(head_of(array).block);
    }
}

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

static void release(void *array) { guarded_free(array); }

#endif

void *tight(size_t alignment, size_t whole, size_t bytes);

void *tight(size_t alignment, size_t whole, size_t bytes)
{
    (void)whole;
    return guarded(alignment, bytes);
}

static int failed(const char *why)
{
    fprintf(stderr, "%s\\n", why);
    return 1;
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Which inputs are to be as they were after the call. */
static const char kept[] = {KEPT};

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

int main(int argc, char **argv)
{
    int64_t numbers[NUMBERS + 1];
    void *arrays[ARRAYS + 1];
    size_t bytes[ARRAYS + 1];
    int32_t said[4] = {0, 0, 0, 0};
    FILE *in = argc == 4 + NUMBERS + ARRAYS ? fopen(argv[1], "rb") : NULL;
    if (in == NULL) {
        return failed("the inputs cannot be read");
    }
#ifdef _OPENMP
    if (atoi(argv[3]) > 0) {
        omp_set_num_threads(atoi(argv[3]));
    }
#endif
    numbers[NUMBERS] = 0; /* there may be none */
    for (int at = 0; at < NUMBERS; at++) {
        numbers[at] = strtoll(argv[4 + at], NULL, 10);
    }
    for (int at = 0; at < ARRAYS; at++) {
        bytes[at] = (size_t)strtoull(argv[4 + NUMBERS + at], NULL, 10);
        arrays[at] = guarded(64, bytes[at]);
        if (arrays[at] == NULL) {
            return failed("there is no memory for the arrays");
        }
        if (at < INPUTS && fread(arrays[at], 1, bytes[at], in) != bytes[at]) {
            return failed("the inputs cannot be read");
        }
    }
    double begin = now();
    said[0] = FUNCTION(ARGUMENTS);
    double seconds = now() - begin;
    rewind(in);
    for (int at = 0; at < ARRAYS; at++) {
        if (said[1] == 0 && !is_whole(arrays[at])) {
            said[1] = at + 1;
        }
        if (at < INPUTS && is_changed(in, arrays[at], bytes[at]) && kept[at] && said[2] == 0) {
            said[2] = at + 1;
        }
    }
    said[3] = atomic_load(&own_outside);
    FILE *out = fopen(argv[2], "wb");
    if (out == NULL || fwrite(said, sizeof said, 1, out) != 1 || fwrite(&seconds, sizeof seconds, 1, out) != 1) {
        return failed("the outputs cannot be written");
    }
    for (int at = INPUTS; at < ARRAYS; at++) {
        if (fwrite(arrays[at], 1, bytes[at], out) != bytes[at]) {
            return failed("the outputs cannot be written");
        }
    }
    for (int at = 0; at < ARRAYS; at++) {
        release(arrays[at]);
    }
    return fclose(out) == 0 && fclose(in) == 0 ? 0 : 1;
}
"""
