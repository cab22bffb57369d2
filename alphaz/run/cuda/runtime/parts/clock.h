/* A clock: the accesses of other threads that are ordered before the present one (Lamport; FastTrack, PLDI 2009).
 *
 * A barrier orders all of a block, so a block is known up to an interval between barriers, and single threads up to a
 * moment of a later interval.
 */
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace alphaz
{

using Moment = std::pair<uint32_t, uint32_t>;    /* interval, epoch */
using ThreadKey = std::pair<uint32_t, uint16_t>; /* block, thread */

struct Clock {
    std::map<uint32_t, uint32_t> blocks;
    std::map<ThreadKey, Moment> threads;

    bool covers(uint32_t block, uint16_t thread, Moment moment) const
    {
        auto whole = blocks.find(block);
        if (whole != blocks.end() && moment.first < whole->second) return true;
        auto single = threads.find({block, thread});
        return single != threads.end() && moment <= single->second;
    }

    void join(const Clock &other)
    {
        for (auto &[block, interval] : other.blocks) blocks[block] = std::max(blocks[block], interval);
        for (auto &[key, moment] : other.threads) threads[key] = std::max(threads[key], moment);
    }
};

using Known = std::shared_ptr<const Clock>;

static Known joined(const Known &one, const Known &other)
{
    if (!one || !other || one == other) return one ? one : other;
    auto found = std::make_shared<Clock>(*one);
    found->join(*other);
    return found;
}

} // namespace alphaz
