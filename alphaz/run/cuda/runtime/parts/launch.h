/* A launch: all its blocks, one after another in an order that is drawn, each with its threads as fibers. */
#pragma once
#include <csignal>
#include "block.h"

namespace alphaz
{

void unsupported(const char *what)
{
    fprintf(stderr, "%s is not executed without a GPU\n", what);
    _exit(98);
}

static cudaError_t last_error;
static std::map<std::string, int> dynamic_limits; /* of kernels, by cudaFuncSetAttribute */

static void work()
{
    for (;;) {
        launch_now.body(launch_now.data);
        in_runtime = true;
        wait(0, 0);
        in_runtime = true;
        now->state = State::DONE;
        lane_ended(*now);
        pause();
    }
}

static void begin_thread(int number)
{
    Thread &thread = threads[number];
    if (!thread.context.stack) {
        thread.context.stack = stacks + STACK * (size_t)number;
        mprotect(thread.context.stack, GUARD, PROT_NONE);
        thread.context.start = work;
    }
    thread.number = (uint16_t)number;
    thread.index = thread_index((uint32_t)number);
    thread.known = thread.fenced = thread.fenced_in_block = nullptr;
    thread.groups.clear();
    thread.open.clear();
    begin_interval(thread);
    make_ready(thread);
}

static void run_ready_threads()
{
    while (!ready.empty()) {
        const size_t at = options.draw(ready.size());
        now = ready[at];
        ready[at] = ready.back();
        ready.pop_back();
        threadIdx = now->index;
        switch_context(&home, &now->context);
        now = nullptr;
    }
}

/* No thread can go on: all wait at a barrier, or lanes wait for others that do not come. Returns false at the end. */
static bool release_waiting()
{
    std::vector<Thread *> arrived;
    for (int at = 0; at < count; at++) {
        if (threads[at].state == State::WARP) {
            complete_without(threads[at]);
            return true;
        }
        if (threads[at].state == State::BARRIER) arrived.push_back(&threads[at]);
    }
    if (!arrived.empty()) complete_barrier(arrived);
    return !arrived.empty();
}

static void run_block(uint32_t block)
{
    launch_now.block = block;
    launch_now.interval = 0;
    blockIdx = block_index(block);
    lifetimes++;
    for (auto &[key, array] : shared_arrays) poison(*array);
    poison(*dynamic_array);
    ready.clear();
    for (int at = 0; at < count; at++) begin_thread(at);
    do run_ready_threads();
    while (release_waiting());
}

/* Arrays of file scope, which have no function, stay. */
static void begin_shared_memory(size_t bytes)
{
    shared_bytes = 0;
    for (auto next = shared_arrays.begin(); next != shared_arrays.end();) {
        auto at = next++;
        if (at->first.first.empty()) {
            shared_bytes += at->second->bytes;
            continue;
        }
        arrays.erase(at->second->base);
        delete at->second;
        shared_arrays.erase(at);
    }
    begin_dynamic_memory(bytes);
    shared_arena.release();
    forget_recent();
}

/* Reports a configuration that the device refuses. */
static bool is_possible(const Configuration &configuration, const void *pc)
{
    const dim3 &grid = configuration.grid, &block = configuration.block;
    const unsigned long long size = (unsigned long long)block.x * block.y * block.z;
    const size_t limit = std::max<size_t>(SHARED_LIMIT, (size_t)dynamic_limits[launch_now.kernel]);
    std::string why;
    if (size == 0 || size > MOST_THREADS || block.z > 64)
        why = "threads";
    else if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
        why = "blocks";
    else if (configuration.shared > limit || configuration.shared > MOST_SHARED)
        why = "shared";
    if (why.empty()) return true;
    if (is_new("launch", pc))
        report("launch", {present("launch", pc)},
               Json()
                   .add("why", why)
                   .add("grid", grid)
                   .add("threads", block)
                   .add("bytes", configuration.shared)
                   .add("limit", std::min(limit, MOST_SHARED)));
    last_error = why == "shared" ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
    return false;
}

static std::vector<uint32_t> order_of_blocks()
{
    std::vector<uint32_t> order(gridDim.x * gridDim.y * gridDim.z);
    for (uint32_t at = 0; at < order.size(); at++) {
        const size_t other = options.draw(at + 1);
        order[at] = order[other];
        order[other] = at;
    }
    return order;
}

void run(const char *kernel, const Parameter *parameters, int number, const Configuration &configuration,
         void (*body)(void *), void *data, const void *pc)
{
    launch_now = Execution();
    launch_now.kernel = kernel;
    if (is_possible(configuration, pc)) {
        launch_now.parameters = parameters;
        launch_now.parameter_count = number;
        launch_now.body = body;
        launch_now.data = data;
        launch_now.dynamic_bytes = configuration.shared;
        launch_now.operation = issue(configuration.stream, kernel);
        gridDim = configuration.grid;
        blockDim = configuration.block;
        count = (int)(blockDim.x * blockDim.y * blockDim.z);
        if (!stacks) stacks = reserve(STACK * MOST_THREADS);
        if (!stacks) unsupported("a block, for want of memory,");
        releases.clear();
        begin_shared_memory(configuration.shared);
        for (uint32_t block : order_of_blocks()) run_block(block);
    }
    launch_now = Execution();
}

cudaError_t set_attribute(const char *kernel, cudaFuncAttribute attribute, int value)
{
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || (size_t)value > MOST_SHARED) return last_error = cudaErrorInvalidValue;
    dynamic_limits[kernel] = value;
    return cudaSuccess;
}

/* --- the start of a program, and its end by a signal -------------------------------------------------------------- */

static void died(int signal, siginfo_t *info, void *)
{
    const size_t into_stacks = (size_t)((char *)info->si_addr - stacks);
    if (stacks && into_stacks < STACK * MOST_THREADS && into_stacks % STACK < GUARD)
        unsupported("a thread with more than 1 MiB of local variables");
    report("died", {present("access", nullptr)}, Json().add("signal", (unsigned)signal));
    _exit(97);
}

struct Start {
    Start()
    {
        host_goes_on();
        static char stack[64 * 1024];
        stack_t other = {};
        other.ss_sp = stack;
        other.ss_size = sizeof stack;
        sigaltstack(&other, nullptr);
        struct sigaction action = {};
        action.sa_sigaction = died;
        action.sa_flags = SA_ONSTACK | SA_SIGINFO;
        for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
    }
};
static Start start;

} // namespace alphaz
