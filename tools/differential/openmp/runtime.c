/* An OpenMP runtime for tests, with the entry points that gcc calls (libgomp's ABI).
 *
 * The threads of a team are fibers of one thread of the system, each with a stack of its own. Only one runs at a time; who
 * goes on is drawn at every point where OpenMP leaves it open: when a team starts, at barriers, critical sections and
 * requests for iterations, and, in code compiled with -fsanitize-coverage=trace-pc, between any two basic blocks. So every
 * execution is one that some machine could show, and the same seed shows it again.
 *
 * Who goes on is the one of the highest priority that can (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized
 * Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010): priorities are a permutation, drawn for each team,
 * and at some points who runs gets the lowest of all, which delays it behind everybody else.
 *
 * Sanitizers are told: AddressSanitizer of the stacks; ThreadSanitizer of the fibers, and of what OpenMP orders and nothing
 * else (that one fiber goes on behind another is no order). This file itself is compiled without them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

enum { MOST_THREADS = 64, STACK = 1 << 20, SHUFFLED = 4096 };

#define WEAK __attribute__((weak))
#define EXPORT __attribute__((visibility("default")))

WEAK void __sanitizer_start_switch_fiber(void **saved, const void *bottom, size_t size);
WEAK void __sanitizer_finish_switch_fiber(void *saved, const void **bottom, size_t *size);
WEAK void *__tsan_get_current_fiber(void);
WEAK void *__tsan_create_fiber(unsigned flags);
WEAK void __tsan_switch_to_fiber(void *fiber, unsigned flags);
WEAK void __tsan_acquire(void *place);
WEAK void __tsan_release(void *place);

/* --- what is drawn --------------------------------------------------------------------------------------------- */

static uint64_t state = 1;
/* In how many of 2^16 points between basic blocks the one that runs is delayed. */
static unsigned delays;

static uint64_t drawn(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1DULL >> 16;
}

EXPORT void permute_threads(uint64_t seed, unsigned most_delays)
{
    state = seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL;
    state += !state;
    for (int warm = 0; warm < 8; warm++)
        drawn();
    delays = most_delays;
}

/* --- fibers ---------------------------------------------------------------------------------------------------- */

struct share;

struct team {
    struct team *outer;
    int size, inside, arrived, over;
    unsigned barriers;
    void (*function)(void *);
    void *data;
    struct share *shares;
    /* Addresses of which ThreadSanitizer is told: the start and the end, and every other barrier. */
    char start, end, met[2];
};

struct fiber {
    void *at[5];
    char *stack;
    const void *bottom;
    size_t size;
    void *saved, *shown;
    struct team *team;
    int number;
    unsigned shares;
    int64_t priority;
    bool waits;
};

static struct fiber fibers[MOST_THREADS], *now = &fibers[0], *before;
/* Before any team, and inside a team of one: who asks is alone. */
static struct team alone = {.size = 1};
static int wanted = 4;
static int64_t lowest;

static __attribute__((noreturn)) void stop(const char *why)
{
    fprintf(stderr, "the OpenMP runtime of the tests: %s\n", why);
    abort();
}

static void arrive(void)
{
    if (__sanitizer_finish_switch_fiber) {
        const void *bottom;
        size_t size;
        __sanitizer_finish_switch_fiber(now->saved, &bottom, &size);
        if (!before->stack) {
            before->bottom = bottom;
            before->size = size;
        }
    }
}

static void work(void);

static __attribute__((noinline, noreturn)) void leap(struct fiber *to)
{
    if (to->at[1])
        __builtin_longjmp(to->at, 1);
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = to->stack;
    context.uc_stack.ss_size = STACK;
    context.uc_link = NULL;
    makecontext(&context, work, 0);
    setcontext(&context);
    stop("a fiber does not start");
}

static __attribute__((noinline)) void switch_to(struct fiber *to)
{
    if (to == now)
        return;
    before = now;
    now = to;
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(&before->saved, to->bottom, to->size);
    if (__tsan_switch_to_fiber)
        __tsan_switch_to_fiber(to->shown, 1);
    if (__builtin_setjmp(before->at) == 0)
        leap(to);
    arrive();
}

static struct fiber *next(struct team *team)
{
    struct fiber *best = NULL;
    for (int at = 0; at < team->size; at++) {
        struct fiber *each = &fibers[at];
        if (!each->waits && (!best || each->priority > best->priority))
            best = each;
    }
    if (!best)
        stop("all threads wait for each other");
    return best;
}

/* Who runs in a team of several; the threads of teams inside it run alone. */
static bool has_others(void) { return now->team && now->team->size > 1; }

static void go_on(void)
{
    if (has_others())
        switch_to(next(now->team));
}

/* A point at which another may go on. */
static void point(void)
{
    if (!has_others())
        return;
    if (drawn() & 1)
        now->priority = --lowest;
    go_on();
}

EXPORT void __sanitizer_cov_trace_pc(void)
{
    if (!delays || !has_others() || (drawn() & 0xFFFF) >= delays)
        return;
    now->priority = --lowest;
    go_on();
}

static void wait_here(void)
{
    now->waits = true;
    go_on();
}

static void acquire(void *place)
{
    if (__tsan_acquire)
        __tsan_acquire(place);
}

static void release(void *place)
{
    if (__tsan_release)
        __tsan_release(place);
}

/* --- teams ----------------------------------------------------------------------------------------------------- */

static void ended(struct team *team)
{
    release(&team->end);
    if (++team->over == team->size)
        fibers[0].waits = false;
}

/* What the fibers do: the work of one team after the other. */
static void work(void)
{
    arrive();
    for (;;) {
        struct team *team = now->team;
        acquire(&team->start);
        team->function(team->data);
        ended(team);
        now->team = NULL;
        now->waits = true;
        switch_to(next(team));
    }
}

static void made(struct fiber *fiber)
{
    if (fiber->stack)
        return;
    fiber->stack = malloc(STACK);
    if (!fiber->stack)
        stop("no memory for a stack");
    fiber->bottom = fiber->stack;
    fiber->size = STACK;
    fiber->shown = __tsan_create_fiber ? __tsan_create_fiber(0) : NULL;
}

static void gathered(struct team *team)
{
    int places[MOST_THREADS];
    for (int at = 0; at < team->size; at++) {
        int other = (int)(drawn() % (uint64_t)(at + 1));
        places[at] = places[other];
        places[other] = at;
    }
    lowest = 0;
    for (int at = 0; at < team->size; at++) {
        struct fiber *fiber = &fibers[at];
        if (at)
            made(fiber);
        fiber->team = team;
        fiber->number = at;
        fiber->shares = 0;
        fiber->waits = false;
        fiber->priority = places[at];
    }
}

static void forget(struct team *team);

EXPORT void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags)
{
    (void)flags;
    struct team *outer = now->team;
    int number = now->number;
    unsigned shares = now->shares;
    struct team team = {.outer = outer, .function = function, .data = data};
    /* A team inside another has one thread, as OpenMP has it unless more levels are asked for. */
    team.size = outer ? 1 : threads ? (int)threads : wanted;
    if (team.size > MOST_THREADS)
        stop("there are 64 threads at most");
    if (team.size == 1) {
        now->team = &team;
        now->number = 0;
        now->shares = 0;
        function(data);
    } else {
        if (__tsan_get_current_fiber)
            now->shown = __tsan_get_current_fiber();
        gathered(&team);
        release(&team.start);
        go_on();
        function(data);
        ended(&team);
        now->waits = team.over < team.size;
        go_on();
        acquire(&team.end);
    }
    forget(&team);
    now->team = outer;
    now->number = number;
    now->shares = shares;
}

EXPORT void GOMP_barrier(void)
{
    struct team *team = now->team;
    if (!has_others())
        return;
    char *place = &team->met[team->barriers & 1];
    release(place);
    if (++team->arrived < team->size) {
        wait_here();
    } else {
        team->arrived = 0;
        team->barriers++;
        for (int at = 0; at < team->size; at++)
            fibers[at].waits = false;
        point();
    }
    acquire(place);
}

/* --- locks ----------------------------------------------------------------------------------------------------- */

struct lock {
    struct fiber *holder;
    char order;
};

static struct lock all_critical, all_atomic;

static void enter(struct lock *lock)
{
    point();
    while (lock->holder) {
        now->priority = --lowest;
        go_on();
    }
    lock->holder = now;
    acquire(&lock->order);
}

static void leave(struct lock *lock)
{
    release(&lock->order);
    lock->holder = NULL;
    point();
}

EXPORT void GOMP_critical_start(void) { enter(&all_critical); }
EXPORT void GOMP_critical_end(void) { leave(&all_critical); }
EXPORT void GOMP_atomic_start(void) { enter(&all_atomic); }
EXPORT void GOMP_atomic_end(void) { leave(&all_atomic); }

static struct lock *named(void **name)
{
    if (!*name)
        *name = calloc(1, sizeof(struct lock));
    return *name;
}

EXPORT void GOMP_critical_name_start(void **name) { enter(named(name)); }
EXPORT void GOMP_critical_name_end(void **name) { leave(named(name)); }

/* --- what a team shares out ------------------------------------------------------------------------------------ */

/* One loop, or one single section, of a team: the n-th that each of its threads meets. */
struct share {
    struct share *older;
    unsigned number;
    int left;
    long start, step, chunk, count, taken;
    bool shuffled;
    long *order;
};

static struct share *share(bool *is_first)
{
    struct team *team = now->team ? now->team : &alone;
    unsigned number = now->shares++;
    for (struct share *each = team->shares; each; each = each->older)
        if (each->number == number) {
            *is_first = false;
            return each;
        }
    struct share *made = calloc(1, sizeof *made);
    made->older = team->shares;
    made->number = number;
    team->shares = made;
    *is_first = true;
    return made;
}

static struct share *current(void)
{
    struct team *team = now->team ? now->team : &alone;
    for (struct share *each = team->shares; each; each = each->older)
        if (each->number == now->shares - 1)
            return each;
    stop("iterations of no loop are asked for");
}

static void forget(struct team *team)
{
    while (team->shares) {
        struct share *older = team->shares->older;
        free(team->shares->order);
        free(team->shares);
        team->shares = older;
    }
}

/* Chunks of iterations, in any order where the schedule is not monotonic. */
static void shared_out(long start, long end, long step, long chunk, bool shuffled)
{
    bool is_first;
    struct share *loop = share(&is_first);
    if (!is_first)
        return;
    long count = step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
    count = count < 0 ? 0 : count;
    loop->start = start;
    loop->step = step;
    loop->chunk = chunk < 1 ? 1 : chunk;
    loop->count = count;
    long chunks = (count + loop->chunk - 1) / loop->chunk;
    if (!shuffled || chunks > SHUFFLED)
        return;
    loop->order = malloc(sizeof(long) * (size_t)(chunks + 1));
    for (long at = 0; at < chunks; at++) {
        long other = (long)(drawn() % (uint64_t)(at + 1));
        loop->order[at] = loop->order[other];
        loop->order[other] = at;
    }
}

static bool taken(long *start, long *end)
{
    point();
    struct share *loop = current();
    long chunks = (loop->count + loop->chunk - 1) / loop->chunk;
    if (loop->taken >= chunks)
        return false;
    long at = loop->order ? loop->order[loop->taken] : loop->taken;
    loop->taken++;
    long first = at * loop->chunk, last = first + loop->chunk;
    last = last > loop->count ? loop->count : last;
    *start = loop->start + first * loop->step;
    *end = loop->start + last * loop->step;
    return true;
}

#define LOOP(kind, shuffled)                                                                                            \
    EXPORT bool GOMP_loop_##kind##_start(long start, long end, long step, long chunk, long *first, long *last)          \
    {                                                                                                                   \
        shared_out(start, end, step, chunk, shuffled);                                                                  \
        return taken(first, last);                                                                                      \
    }                                                                                                                   \
    EXPORT bool GOMP_loop_##kind##_next(long *first, long *last) { return taken(first, last); }                         \
    struct kind##_loop {                                                                                                \
        void (*function)(void *);                                                                                       \
        void *data;                                                                                                     \
        long start, end, step, chunk;                                                                                   \
    };                                                                                                                  \
    static void kind##_work(void *given)                                                                                \
    {                                                                                                                   \
        struct kind##_loop *loop = given;                                                                               \
        shared_out(loop->start, loop->end, loop->step, loop->chunk, shuffled);                                          \
        loop->function(loop->data);                                                                                     \
    }                                                                                                                   \
    EXPORT void GOMP_parallel_loop_##kind(void (*function)(void *), void *data, unsigned threads, long start, long end, \
                                          long step, long chunk, unsigned flags)                                        \
    {                                                                                                                   \
        struct kind##_loop loop = {function, data, start, end, step, chunk};                                            \
        GOMP_parallel(kind##_work, &loop, threads, flags);                                                              \
    }

LOOP(dynamic, false)
LOOP(nonmonotonic_dynamic, true)
LOOP(guided, false)
LOOP(nonmonotonic_guided, true)

EXPORT void GOMP_loop_end(void) { GOMP_barrier(); }
EXPORT void GOMP_loop_end_nowait(void) { point(); }

EXPORT bool GOMP_single_start(void)
{
    bool is_first;
    point();
    share(&is_first);
    return is_first;
}

/* --- questions ------------------------------------------------------------------------------------------------- */

EXPORT int omp_get_thread_num(void) { return now->team ? now->number : 0; }
EXPORT int omp_get_num_threads(void) { return now->team ? now->team->size : 1; }
EXPORT int omp_get_max_threads(void) { return now->team ? 1 : wanted; }
EXPORT int omp_get_num_procs(void) { return wanted; }
EXPORT int omp_in_parallel(void) { return has_others(); }
EXPORT void omp_set_dynamic(int on) { (void)on; }
EXPORT void omp_set_num_threads(int count)
{
    if (count > 0)
        wanted = count;
}

EXPORT double omp_get_wtime(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
