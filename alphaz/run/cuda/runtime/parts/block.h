/* Barriers of a block, its shared memory, fences, atomic operations, and asynchronous copies. */
#pragma once
#include "warp.h"

namespace alphaz
{

/* --- barriers ----------------------------------------------------------------------------------------------------- */

static void begin_interval(Thread &thread)
{
    std::fill(thread.lanes, thread.lanes + 32, 0);
    thread.epoch = thread.lanes[thread.number % 32] = 1;
}

static void check_barrier(const std::vector<Thread *> &arrived)
{
    const Thread &first = *arrived.front();
    if ((int)arrived.size() < count && is_new("divergent barrier", first.wait.pc)) {
        const Thread *absent = threads;
        while (absent->state != State::DONE) absent++;
        report("divergent barrier", {present("wait", first.wait.pc, &first), present("end", nullptr, absent)},
               Json().add("arrived", arrived.size()).add("threads", (unsigned)count));
    }
    for (const Thread *other : arrived)
        if (other->wait.pc != first.wait.pc) {
            if (is_new("different barriers", std::min(first.wait.pc, other->wait.pc),
                       std::max(first.wait.pc, other->wait.pc)))
                report("different barriers",
                       {present("wait", first.wait.pc, &first), present("wait", other->wait.pc, other)});
            return;
        }
}

static int vote_of(const Wait &wait, size_t number, size_t set)
{
    switch (wait.vote) {
    case Vote::ANY: return set > 0;
    case Vote::ALL: return set == number;
    default: return (int)set;
    }
}

static void complete_barrier(const std::vector<Thread *> &arrived)
{
    Known known, fenced, in_block;
    size_t set = 0;
    check_barrier(arrived);
    for (const Thread *thread : arrived) {
        set += thread->wait.source != 0;
        known = joined(known, thread->known);
        fenced = joined(fenced, thread->fenced);
        in_block = joined(in_block, thread->fenced_in_block);
    }
    launch_now.interval++;
    for (Thread *thread : arrived) {
        thread->wait.source = vote_of(thread->wait, arrived.size(), set);
        thread->known = known;
        thread->fenced = fenced;
        thread->fenced_in_block = in_block;
        begin_interval(*thread);
        make_ready(*thread);
    }
}

int barrier(Vote vote, int predicate, int line, const void *pc)
{
    if (is_left_out(line)) return predicate;
    now->wait.vote = vote;
    now->wait.source = predicate;
    now->wait.pc = pc;
    now->state = State::BARRIER;
    pause();
    return now->wait.source;
}

/* --- shared memory ------------------------------------------------------------------------------------------------ */

static constexpr size_t SHARED_LIMIT = 48 * 1024, MOST_SHARED = MOST_DYNAMIC;
static std::map<std::pair<std::string, std::string>, Array *> shared_arrays; /* of the launch, by function and name */
static size_t shared_bytes;                                                  /* declared ones of the launch */
static Array *dynamic_array;
static uint32_t lifetimes;

static void poison(Array &array)
{
    memset(array.base, 0xFF, array.bytes);
    array.lifetime = lifetimes;
}

static void begin_dynamic_memory(size_t bytes)
{
    if (dynamic_array) {
        arrays.erase(dynamic_array->base);
        delete dynamic_array;
    }
    dynamic_array = new_array(alphaz_dynamic_memory, bytes, Memory::SHARED, "dynamic shared memory", 1, {0});
}

void *shared(const char *function, const char *name, size_t bytes, size_t element, const size_t *extents, int rank,
             bool is_dynamic, const void *pc)
{
    Inside inside;
    if (is_dynamic) {
        dynamic_array->name = name;
        dynamic_array->element = element;
        return dynamic_array->base;
    }
    Array *&array = shared_arrays[{function, name}];
    if (!array) {
        array = new_array(shared_arena.take(bytes), bytes, Memory::SHARED, name, element,
                          {extents, extents + std::min(rank, 4)});
        shared_bytes += bytes;
        poison(*array);
        const size_t whole = shared_bytes + launch_now.dynamic_bytes;
        const size_t limit = shared_bytes > SHARED_LIMIT ? SHARED_LIMIT : MOST_SHARED;
        if (whole > limit && is_new("shared memory", pc))
            report("shared memory", {present("declaration", pc)}, Json().add("bytes", whole).add("limit", limit));
    }
    return array->base;
}

/* --- order by fences and atomic operations ------------------------------------------------------------------------ */

/* What fences have released by atomic operations at one address: to all blocks, and to one. */
struct Release {
    Known device, block;
    uint32_t number;
};
static std::map<const void *, Release> releases;

/* All that is ordered before the present moment of the running thread. */
static Known snapshot()
{
    auto found = now->known ? std::make_shared<Clock>(*now->known) : std::make_shared<Clock>();
    uint32_t &interval = found->blocks[launch_now.block];
    interval = std::max(interval, launch_now.interval);
    for (int at = 0; at < 32; at++)
        if (now->lanes[at]) {
            Moment &moment = found->threads[{launch_now.block, (uint16_t)(now->number / 32 * 32 + at)}];
            moment = std::max(moment, Moment(launch_now.interval, now->lanes[at]));
        }
    return found;
}

void fence(Scope scope, int line)
{
    if (is_left_out(line)) return;
    Inside inside;
    launch_now.has_fence = true;
    now->fenced_in_block = snapshot();
    if (scope == Scope::DEVICE) now->fenced = now->fenced_in_block;
    now->epoch = ++now->lanes[now->number % 32];
}

/* Another thread may go on before an atomic operation, so loops that wait for one come to an end. */
void atomic(void *address, size_t bytes, Scope scope, const void *pc)
{
    if (options.draw(4) == 0) {
        in_runtime = true;
        make_ready(*now);
        pause();
    }
    {
        Inside inside;
        auto place = releases.find(address);
        if (place != releases.end()) {
            if (scope == Scope::DEVICE) now->known = joined(now->known, place->second.device);
            if (place->second.number == launch_now.block) now->known = joined(now->known, place->second.block);
        }
        if (now->fenced_in_block) {
            Release &release = releases[address];
            if (release.number != launch_now.block) release.block = nullptr;
            release.number = launch_now.block;
            release.block = joined(release.block, now->fenced_in_block);
            if (scope == Scope::DEVICE) release.device = joined(release.device, now->fenced);
        }
    }
    touch(address, bytes, Kind::ATOMIC, pc);
}

/* --- asynchronous copies: they arrive at their wait, and leave poison until then ---------------------------------- */

/* Returns False where the array lacks the cells. */
static bool set_pending(const Copy &copy, bool is_pending)
{
    Array *array = array_of(copy.to);
    if (!array || copy.to + copy.bytes > array->base + array->bytes) return false;
    for (const char *byte = copy.to; byte < copy.to + copy.bytes; byte++) {
        Cell &cell = array->cell((size_t)(byte - array->base) / 4);
        const uint8_t bit = (uint8_t)(1u << (byte - array->base) % 4);
        cell.pending = is_pending ? cell.pending | bit : cell.pending & (uint8_t)~bit;
    }
    return true;
}

void copy(void *to, const void *from, size_t bytes, size_t zeros, const void *pc)
{
    const Copy copy{(char *)to, (const char *)from, bytes, std::min(zeros, bytes), pc};
    const bool has_size = bytes == 4 || bytes == 8 || bytes == 16;
    if (!has_size || (size_t)to % bytes || (copy.zeros < bytes && (size_t)from % bytes))
        report_misaligned("asynchronous copy", pc, bytes);
    touch(to, bytes, Kind::WRITE, pc);
    touch(from, bytes - copy.zeros, Kind::READ, pc);
    Inside inside;
    if (set_pending(copy, true)) memset(to, 0xFF, bytes);
    now->open.push_back(copy);
}

void commit()
{
    Inside inside;
    now->groups.push_back(std::move(now->open));
    now->open.clear();
}

void wait(size_t left, int line)
{
    if (is_left_out(line)) return;
    while (now->groups.size() > left) {
        for (const Copy &copy : now->groups.front()) {
            if (!set_pending(copy, false)) continue;
            touch(copy.to, copy.bytes, Kind::WRITE, copy.pc);
            Inside inside;
            memcpy(copy.to, copy.from, copy.bytes - copy.zeros);
            memset(copy.to + copy.bytes - copy.zeros, 0, copy.zeros);
        }
        Inside inside;
        now->groups.pop_front();
    }
}

} // namespace alphaz
