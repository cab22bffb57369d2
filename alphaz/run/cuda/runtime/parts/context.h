/* A stack with a point at which it goes on. */
#pragma once
#include <sys/mman.h>
#include <ucontext.h>
#include <cstddef>
#include <cstdlib>

namespace alphaz
{

struct Context {
    void *at[5] = {};
    char *stack = nullptr;
    void (*start)() = nullptr;
};

/* Local variables of a thread have at most 512 KiB on a GPU. The first page is a guard. */
static constexpr size_t STACK = 1024 * 1024, GUARD = 4096;

/* Goes on at a point, or starts. Never returns. */
static __attribute__((noinline, noreturn)) void leap(Context *to)
{
    if (to->at[1]) __builtin_longjmp(to->at, 1);
    ucontext_t begin;
    getcontext(&begin);
    begin.uc_stack.ss_sp = to->stack;
    begin.uc_stack.ss_size = STACK;
    begin.uc_link = nullptr;
    makecontext(&begin, to->start, 0);
    setcontext(&begin);
    abort();
}

static __attribute__((noinline)) void switch_context(Context *from, Context *to)
{
    if (__builtin_setjmp(from->at) == 0) leap(to);
}

#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

/* Memory that takes space only where it is used; null where there is none. `is_low`: 32 bits hold its addresses. */
static char *reserve(size_t bytes, bool is_low = false)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (is_low ? MAP_32BIT : 0);
    void *found = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return found == MAP_FAILED ? nullptr : (char *)found;
}

} // namespace alphaz
