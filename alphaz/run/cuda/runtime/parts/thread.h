/* The threads of the block that is executed: fibers, of which one runs at a time. */
#pragma once
#include <deque>
#include "../device.h"
#include "array.h"
#include "operation.h"
#include "options.h"

namespace alphaz
{

enum class State : uint8_t { READY, BARRIER, WARP, DONE };
enum class Exchange : uint8_t { ORDER, VOTE, SHUFFLE, PRODUCT };

struct Copy {
    char *to;
    const char *from;
    size_t bytes, zeros;
    const void *pc;
};

/* What a thread waits for, and what it gives and gets. */
struct Wait {
    Exchange exchange;
    unsigned mask;
    const void *pc;
    Vote vote;
    int source; /* the lane of a shuffle, the form of a product, or the predicate of a barrier */
    size_t bytes;
    unsigned char value[128];
    unsigned char result[64];
};

struct Thread {
    Context context;
    uint3 index;
    State state;
    uint16_t number;
    uint32_t epoch;
    uint32_t lanes[32]; /* epochs of the lanes of the warp that are ordered before, in this interval */
    Known known, fenced, fenced_in_block;
    std::deque<std::vector<Copy>> groups;
    std::vector<Copy> open;
    Wait wait;
};

/* The launch and the block that are executed. */
struct Execution {
    std::string kernel;
    const Parameter *parameters = nullptr;
    int parameter_count = 0;
    uint32_t operation = 0, block = 0, interval = 0;
    bool has_fence = false;
    void (*body)(void *) = nullptr;
    void *data = nullptr;
    size_t dynamic_bytes = 0;
};

static constexpr int MOST_THREADS = 1024;
static Thread threads[MOST_THREADS];
static char *stacks;
static int count;       /* threads of the block */
static Thread *now;     /* the running one; null: the host, or the scheduler */
static bool in_runtime; /* accesses of this runtime are none of the text */
static Context home;
static std::vector<Thread *> ready;
static Execution launch_now;

extern "C" {
uint3 threadIdx, blockIdx, blockDim, gridDim;
}

static Thread *warp_of(const Thread &thread) { return threads + thread.number / 32 * 32; }
static int warp_size(const Thread &thread) { return std::min(32, count - thread.number / 32 * 32); }
static uint3 block_index(uint32_t block)
{
    return {block % gridDim.x, block / gridDim.x % gridDim.y, block / gridDim.x / gridDim.y};
}
static uint3 thread_index(uint32_t thread)
{
    return {thread % blockDim.x, thread / blockDim.x % blockDim.y, thread / blockDim.x / blockDim.y};
}
int lane() { return now->number % 32; }

static void make_ready(Thread &thread)
{
    thread.state = State::READY;
    ready.push_back(&thread);
}

/* Lets other threads go on until this one is ready, and drawn. */
static void pause()
{
    in_runtime = false;
    switch_context(&now->context, &home);
}

/* Parts of the library may be compiled with the text, and their accesses are none of the text. */
struct Inside {
    const bool before = in_runtime;
    Inside() { in_runtime = true; }
    ~Inside() { in_runtime = before; }
};

static bool is_left_out(int line)
{
    Inside inside;
    return options.without.count(line) != 0;
}

} // namespace alphaz
