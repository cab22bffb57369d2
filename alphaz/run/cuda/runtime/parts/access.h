/* Judges each access: whether the array has the cell, whether something wrote it, and whether a race is possible. */
#pragma once
#include "report.h"

extern "C" {
extern char __executable_start, __data_start;
}

namespace alphaz
{

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
    const char *scope = !is_same                          ? "race of operations"
                        : other.block == launch_now.block ? "race in a block"
                                                          : "race of blocks";
    if (is_new(scope, other.pc, pc))
        report(scope, {past(other), present(access_names[(int)kind], pc)}, cell_of(array, array.base + 4 * cell));
}

static bool is_same_interval(const Event &one, const Event &other)
{
    return one.operation == other.operation && one.block == other.block && one.interval == other.interval;
}

static void erase_empty(std::vector<Event> &events)
{
    events.erase(std::remove_if(events.begin(), events.end(), [](const Event &event) { return event.bytes == 0; }),
                 events.end());
}

/* Records a read. It replaces reads that are ordered before it: what races with those also races with it. In an
 * interval the reads of 33 threads suffice, which are in two warps, and of other blocks one; with fences any may count.
 */
static void record_read(Cell &cell, const Event &self)
{
    constexpr size_t ENOUGH = 33;
    std::vector<Event> &reads = cell.reads;
    if (!reads.empty() && is_same_interval(reads.back(), self)) {
        if (reads.size() - cell.interval_reads >= ENOUGH && !launch_now.has_fence && self.bytes == 0xF) return;
    } else {
        size_t others = 0;
        for (Event &event : reads) {
            const bool is_enough =
                event.operation == self.operation && event.bytes == 0xF && !launch_now.has_fence && others++ > 0;
            if (is_enough || is_ordered(event)) event.bytes &= is_enough ? 0 : (uint8_t)~self.bytes;
        }
        erase_empty(reads);
        cell.interval_reads = (uint32_t)reads.size();
    }
    for (size_t at = cell.interval_reads; at < reads.size(); at++)
        if (reads[at].thread == self.thread && (reads[at].bytes & ~self.bytes) == 0) {
            reads[at] = self;
            return;
        }
    reads.push_back(self);
}

/* Whether a later access that races with an earlier write races with the present access, too. An atomic operation
 * observes the earlier ones on its cell: what is after the last one is after all. */
static bool replaces(const Event &self, const Event &event, bool is_before)
{
    if (self.kind != Kind::ATOMIC) return self.kind == Kind::WRITE;
    return event.kind == Kind::ATOMIC
    &&(is_before || (event.operation == self.operation && event.block == self.block));
}

static void record_write(Cell &cell, const Event &self)
{
    constexpr size_t MOST = 64; /* of blocks with atomic operations: the last ones suffice */
    cell.writes.push_back(self);
    if (cell.writes.size() <= MOST) return;
    auto first =
        std::find_if(cell.writes.begin(), cell.writes.end(), [](const Event &e) { return e.kind == Kind::ATOMIC; });
    if (first != cell.writes.end()) cell.writes.erase(first);
}

/* Compares an access with the earlier ones of the cell, and records it. A plain write replaces all of them: what races
 * with one of those also races with it, or it raced itself. */
static void record(const Array &array, size_t at, Cell &cell, uint8_t bytes, Kind kind, const void *pc)
{
    const uint32_t operation = now ? launch_now.operation : host_operation, epoch = now ? now->epoch : 0;
    const uint16_t thread = now ? now->number : 0;
    const Event self{operation, launch_now.block, launch_now.interval, epoch, pc, thread, kind, bytes};
    bool has_observed = false, is_replaced = false;
    for (size_t next = cell.writes.size(); next-- > 0;) {
        Event &event = cell.writes[next];
        if (!(event.bytes & bytes)) continue;
        const bool is_before = is_ordered(event), is_atomic = event.kind == Kind::ATOMIC;
        has_observed |= is_atomic && is_before;
        if (!is_before && !(is_atomic && (has_observed || kind == Kind::ATOMIC)))
            report_race(array, at, event, kind, pc);
        if (!replaces(self, event, is_before)) continue;
        event.bytes &= (uint8_t)~bytes;
        is_replaced = true;
    }
    if (is_replaced) erase_empty(cell.writes);
    if (kind == Kind::READ) return record_read(cell, self);
    for (Event &event : cell.reads) {
        if (!(event.bytes & bytes)) continue;
        if (!is_ordered(event)) report_race(array, at, event, kind, pc);
        if (kind == Kind::WRITE) event.bytes &= (uint8_t)~bytes;
    }
    if (kind == Kind::WRITE) {
        erase_empty(cell.reads);
        cell.interval_reads = 0;
    }
    record_write(cell, self);
}

static void report_outside(const char *address, size_t bytes, Kind kind, const void *pc)
{
    if (!is_new("outside", pc)) return;
    Array *nearest = array_before(address);
    auto next = arrays.upper_bound(address);
    if (next != arrays.end() &&
        (!nearest || next->second->base - address < address - (nearest->base + nearest->bytes)) &&
        global_arena.has(next->first) == global_arena.has(address))
        nearest = next->second;
    Json details = nearest ? cell_of(*nearest, address) : Json();
    details.add("bytes", bytes);
    const bool is_freed = nearest && nearest->is_freed && nearest->has(address);
    report(is_freed ? "freed" : "outside", {present(access_names[(int)kind], pc)}, details);
}

/* What is in the program and is never written: constants. */
static bool is_constant(const char *address) { return address >= &__executable_start && address < &__data_start; }
static bool is_of_threads(const char *address)
{
    return stacks && address >= stacks && address < stacks + STACK * MOST_THREADS;
}

/* Structures may have bytes without values between their members, so of a wide access all words must lack values. */
static void touch_cells(Array &array, const char *address, size_t bytes, Kind kind, const void *pc)
{
    size_t words = 0, unwritten = 0;
    bool is_pending = false;
    const char *first = nullptr;
    for (size_t at = (size_t)(address - array.base) / 4; at <= (size_t)(address + bytes - 1 - array.base) / 4; at++) {
        const char *word = array.base + 4 * at, *begin = std::max(address, word),
                   *end = std::min(address + bytes, word + 4);
        const uint8_t mask = (uint8_t)(((1u << (end - begin)) - 1) << (begin - word));
        Cell &cell = array.cell(at);
        const bool is_unwritten = kind != Kind::WRITE && !(mask & cell.written);
        if (((cell.pending & mask) || is_unwritten) && !first) first = begin;
        is_pending |= (cell.pending & mask) != 0;
        unwritten += is_unwritten;
        words++;
        if (kind != Kind::READ) cell.written |= mask;
        record(array, at, cell, mask, kind, pc);
    }
    if (is_pending && is_new("pending", pc))
        report("pending", {present(access_names[(int)kind], pc)}, cell_of(array, first));
    if (unwritten && (bytes <= 8 || unwritten == words) && !is_pending && is_new("unwritten", pc))
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
    if (array || global_arena.has(address) || is_shared(address)) return report_outside(address, bytes, kind, pc);
    if (is_constant(address)) return;
    const char *fault = is_of_threads(address)    ? "foreign local"
                        : (size_t)address < 65536 ? "null pointer"
                                                  : "host pointer";
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
        if (address < range.base + range.bytes && range.base < address + bytes &&
            (range.is_written || kind != Kind::READ) && !is_before(range.operation, host_operation) &&
            is_new("race with the host", range.pc, pc)) {
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
