/* Arrays that kernels may access, with a record of the accesses to each cell of four bytes. */
#pragma once
#include <map>
#include <string>
#include <vector>
#include "clock.h"
#include "context.h"

namespace alphaz
{

enum class Kind : uint8_t { READ, WRITE, ATOMIC };
enum class Memory { GLOBAL, SHARED, PINNED, MANAGED };
static const char *const memory_names[] = {"global", "shared", "pinned", "managed"};

struct Event {
    uint32_t operation, block, interval, epoch;
    const void *pc;
    uint16_t thread;
    Kind kind;
    uint8_t bytes; /* of the cell, as bits */
};

/* `writes`, with atomic operations, and `reads`: those that a later access may race with; from `interval_reads` on,
 * those of the present interval. `written`, `pending`: bytes that hold a value, and bytes that an asynchronous copy may
 * change. All of it counts for one `lifetime` of the array: shared memory has one a block. */
struct Cell {
    uint32_t lifetime = 0, interval_reads = 0;
    uint8_t written = 0, pending = 0;
    std::vector<Event> writes, reads;
};

struct Array {
    char *base;
    size_t bytes;
    Memory memory;
    std::string name;
    size_t element;
    std::vector<size_t> extents;
    bool is_freed = false;
    uint32_t lifetime = 0;
    std::vector<Cell> cells = {};

    bool has(const char *address) const { return address >= base && address < base + bytes; }

    Cell &cell(size_t at)
    {
        Cell &found = cells[at];
        if (found.lifetime != lifetime) {
            found.lifetime = lifetime;
            found.written = found.pending = 0;
            found.interval_reads = 0;
            found.writes.clear();
            found.reads.clear();
        }
        return found;
    }
};

/* All arrays that are or were, by their first byte. */
static std::map<const char *, Array *> arrays;
static Array *recent[4];
static unsigned next_recent;

static Array *new_array(char *base, size_t bytes, Memory memory, const std::string &name, size_t element,
                        std::vector<size_t> extents)
{
    auto *made = new Array{base, bytes, memory, name, element, std::move(extents)};
    made->cells.resize((bytes + 3) / 4);
    arrays[base] = made;
    return made;
}

static void forget_recent()
{
    for (Array *&array : recent) array = nullptr;
}

/* The array that begins last at or before an address; null if there is none. */
static Array *array_before(const char *address)
{
    auto next = arrays.upper_bound(address);
    return next == arrays.begin() ? nullptr : std::prev(next)->second;
}

static Array *array_of(const char *address)
{
    for (Array *array : recent)
        if (array && array->has(address)) return array;
    Array *found = array_before(address);
    if (!found || !found->has(address) || found->is_freed) return nullptr;
    return recent[next_recent++ % 4] = found;
}

/* A part of the addresses with gaps between arrays, so that an access next to one meets no other. */
struct Arena {
    size_t capacity, gap;
    bool is_low;
    char *base = nullptr, *top = nullptr;

    char *take(size_t bytes)
    {
        if (!base) base = top = reserve(capacity, is_low);
        const size_t whole = (bytes + gap - 1) / gap * gap;
        if (!base || whole > capacity || (size_t)(base + capacity - top) < whole + 2 * gap) return nullptr;
        char *found = top + gap;
        top = found + whole;
        return found;
    }
    void release() { top = base; }
    bool has(const char *address) const { return base && address >= base && address < base + capacity; }
};

/* Inline PTX has addresses of shared memory in 32 bits. */
static Arena global_arena{size_t(1) << 36, 1 << 16, false}, shared_arena{1 << 24, 1 << 13, true};

/* Dynamic shared memory is at one place, which texts may declare; behind it is a gap. */
static constexpr size_t MOST_DYNAMIC = 227 * 1024, DYNAMIC = MOST_DYNAMIC + (1 << 16);
extern "C" {
alignas(1024) char alphaz_dynamic_memory[DYNAMIC];
}

static bool is_shared(const char *address)
{
    return shared_arena.has(address) || (address >= alphaz_dynamic_memory && address < alphaz_dynamic_memory + DYNAMIC);
}

} // namespace alphaz
