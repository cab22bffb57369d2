/* The options of an execution, from the environment: the seed of all orders, and lines whose waits are left out. */
#pragma once
#include <cstdint>
#include <cstdlib>
#include <set>

namespace alphaz
{

struct Options {
    uint64_t state;
    std::set<int> without;

    Options()
    {
        const char *seed = getenv("ALPHAZ_CUDA_SEED"), *lines = getenv("ALPHAZ_CUDA_WITHOUT");
        state = (seed ? strtoull(seed, nullptr, 10) : 0) * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL;
        for (char *end = nullptr; lines && *lines; lines = *end ? end + 1 : end)
            without.insert((int)strtol(lines, &end, 10));
    }

    /* A number below `limit` (xorshift64*). */
    uint64_t draw(uint64_t limit)
    {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return (state * 0x2545F4914F6CDD1DULL >> 16) % limit;
    }
};

static Options options;

} // namespace alphaz
