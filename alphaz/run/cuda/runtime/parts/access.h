/* Judges each access: whether the array has the cell, whether something wrote it, and whether a race is possible. */
#pragma once
#include "report.h"

extern "C" {
extern char __executable_start, __data_start;
}

namespace alphaz {

static const char *const access_names[] = {"read", "write", "atomic operation"};

/* Ranges of host memory that an asynchronous copy still reads or writes. */
struct HostRange {
    const char *base;
    size_t bytes;
    uint32_t operation;
    bool is_written;
    const void *pc;
};
static std::vector<HostRange> host_ranges;

static bool is_ordered(const Event &event)
{
    const uint32_t operation = now ? launch_now.operation : host_operation;
    if (event.operation != operation) return is_before(event.operation, operation);
    if (!now) return true;
    if (event.block == launch_now.block) {
        if (event.thread == now->number || event.interval < launch_now.interval) return true;
        if (event.thread / 32 == now->number / 32 && now->lanes[event.thread % 32] >= event.epoch) return true;
    }
    return now->known && now->known->covers(event.block, event.thread, {event.interval, event.epoch});
}

static std::string past(const Event &event)
{
    const Operation &operation = operations[event.operation];
    if (event.operation == launch_now.operation) {
        const uint3 block = block_index(event.block), thread = thread_index(event.thread);
        return place(access_names[(int)event.kind], event.pc, launch_now.kernel, &block, &thread);
    }
    return place(access_names[(int)event.kind], event.pc, operation.name, nullptr, nullptr);
}

static void report_race(const Array &array, size_t cell, const Event &other, Kind kind, const void *pc)
{
    const bool is_same = now && other.operation == launch_now.operation;
    const char *scope = !is_same ? "race of operations" : other.block == launch_now.block ? "race in a block" : "race of blocks";
    if (is_new(scope, other.pc, pc))
        report(scope, {past(other), present(access_names[(int)kind], pc)}, cell_of(array, array.base + 4 * cell));
}

/* Leaves out reads of which others suffice: all threads of two warps, and another block. With fences any may count. */
static void compact(Cell &cell)
{
    constexpr size_t ENOUGH = 33, TRIGGER = 96;
    if (cell.events.size() < TRIGGER || launch_now.has_fence) return;
    size_t own = 0, others = 0;
    std::vector<Event> left;
    for (size_t at = cell.events.size(); at-- > 0;) {
        const Event &event = cell.events[at];
        const bool is_read = event.kind == Kind::READ && event.bytes == 0xF && event.operation == launch_now.operation;
        if (!is_read || (event.block == launch_now.block ? own++ < ENOUGH : others++ < 1)) left.push_back(event);
    }
    std::reverse(left.begin(), left.end());
    cell.events = std::move(left);
}

/* Compares an access with the earlier ones of the cell, and records it. A plain write replaces all of them: what races
 * with one of those also races with it, or with a later one. A read replaces reads that are ordered before it. */
static void record(const Array &array, size_t at, Cell &cell, uint8_t bytes, Kind kind, const void *pc)
{
    Event self{now ? launch_now.operation : host_operation, launch_now.block, launch_now.interval, now ? now->epoch : 0, pc,
               now ? now->number : (uint16_t)0, kind, bytes};
    if (!cell.events.empty()) {
        const Event &last = cell.events.back();
        if (last.operation == self.operation && last.block == self.block && last.thread == self.thread && last.kind == kind &&
            last.interval == self.interval && last.epoch == self.epoch && last.bytes == bytes)
            return;
    }
    bool has_observed = false; /* an atomic operation observes all earlier ones on its cell */
    size_t kept = cell.events.size();
    for (size_t next = cell.events.size(); next-- > 0;) {
        Event &event = cell.events[next];
        if (!(event.bytes & bytes)) continue;
        const bool is_conflict = kind != event.kind || kind == Kind::WRITE, is_before = is_ordered(event);
        if (event.kind == Kind::ATOMIC && is_before) has_observed = true;
        if (is_conflict && !is_before && !(event.kind == Kind::ATOMIC && has_observed))
            report_race(array, at, event, kind, pc);
        if (kind == Kind::WRITE || (kind == event.kind && is_before)) event.bytes &= (uint8_t)~bytes;
        kept -= event.bytes == 0;
    }
    if (kept < cell.events.size())
        cell.events.erase(std::remove_if(cell.events.begin(), cell.events.end(), [](const Event &e) { return e.bytes == 0; }),
                          cell.events.end());
    cell.events.push_back(self);
    compact(cell);
}

static void report_outside(const char *address, size_t bytes, Kind kind, const void *pc)
{
    if (!is_new("outside", pc)) return;
    Array *nearest = array_before(address);
    auto next = arrays.upper_bound(address);
    if (next != arrays.end() && (!nearest || next->second->base - address < address - (nearest->base + nearest->bytes)) &&
        global_arena.has(next->first) == global_arena.has(address))
        nearest = next->second;
    Json details = nearest ? cell_of(*nearest, address) : Json();
    details.add("bytes", bytes);
    const bool is_freed = nearest && nearest->is_freed && nearest->has(address);
    report(is_freed ? "freed" : "outside", {present(access_names[(int)kind], pc)}, details);
}

/* What is in the program and is never written: constants. */
static bool is_constant(const char *address) { return address >= &__executable_start && address < &__data_start; }
static bool is_of_threads(const char *address) { return stacks && address >= stacks && address < stacks + STACK * MOST_THREADS; }

static void touch_cells(Array &array, const char *address, size_t bytes, Kind kind, const void *pc)
{
    bool is_unwritten = false, is_pending = false;
    const char *first = nullptr;
    for (size_t at = (size_t)(address - array.base) / 4; at <= (size_t)(address + bytes - 1 - array.base) / 4; at++) {
        const char *word = array.base + 4 * at, *begin = std::max(address, word), *end = std::min(address + bytes, word + 4);
        const uint8_t mask = (uint8_t)(((1u << (end - begin)) - 1) << (begin - word));
        Cell &cell = array.cell(at);
        const bool is_bad = (cell.pending & mask) || (kind != Kind::WRITE && (mask & ~cell.written));
        if (is_bad && !first) first = begin;
        is_pending |= (cell.pending & mask) != 0;
        is_unwritten |= kind != Kind::WRITE && (mask & ~cell.written & ~cell.pending);
        if (kind != Kind::READ) cell.written |= mask;
        record(array, at, cell, mask, kind, pc);
    }
    if (is_pending && is_new("pending", pc)) report("pending", {present(access_names[(int)kind], pc)}, cell_of(array, first));
    if (is_unwritten && is_new("unwritten", pc))
        report("unwritten", {present(access_names[(int)kind], pc)}, cell_of(array, first));
}

static void report_misaligned(const char *what, const void *pc, size_t bytes)
{
    Inside inside;
    if (is_new("misaligned", pc)) report("misaligned", {present(what, pc)}, Json().add("bytes", bytes));
}

/* An access of a thread of a kernel. */
static void touch_in_kernel(const char *address, size_t bytes, Kind kind, const void *pc)
{
    if (address >= now->context.stack && address < now->context.stack + STACK) return;
    if (bytes == 0) return;
    Array *array = array_of(address);
    if (array && address + bytes <= array->base + array->bytes) return touch_cells(*array, address, bytes, kind, pc);
    if (array || global_arena.has(address) || shared_arena.has(address)) return report_outside(address, bytes, kind, pc);
    if (is_constant(address)) return;
    const char *fault = is_of_threads(address) ? "foreign local" : (size_t)address < 65536 ? "null pointer" : "host pointer";
    if (is_new(fault, pc)) report(fault, {present(access_names[(int)kind], pc)});
}

/* An access of the host. */
static void touch_on_host(const char *address, size_t bytes, Kind kind, const void *pc)
{
    if (global_arena.has(address)) {
        Array *array = array_of(address);
        if (!array || address + bytes > array->base + array->bytes) return report_outside(address, bytes, kind, pc);
        if (array->memory == Memory::GLOBAL) {
            if (is_new("device pointer", pc))
                report("device pointer", {present(access_names[(int)kind], pc)}, cell_of(*array, address));
            return;
        }
        return touch_cells(*array, address, bytes, kind, pc);
    }
    for (const HostRange &range : host_ranges)
        if (address < range.base + range.bytes && range.base < address + bytes && (range.is_written || kind != Kind::READ) &&
            !is_before(range.operation, host_operation) && is_new("race with the host", range.pc, pc)) {
            const char *what = range.is_written ? "write" : "read";
            report("race with the host", {place(what, range.pc, operations[range.operation].name, nullptr, nullptr),
                                          present(access_names[(int)kind], pc)});
        }
}

static void touch(const void *address, size_t bytes, Kind kind, const void *pc)
{
    if (in_runtime) return;
    in_runtime = true;
    if (now)
        touch_in_kernel((const char *)address, bytes, kind, pc);
    else if (global_arena.base || !host_ranges.empty())
        touch_on_host((const char *)address, bytes, kind, pc);
    in_runtime = false;
}

} // namespace alphaz
