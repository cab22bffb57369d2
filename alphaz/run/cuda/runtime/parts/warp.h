/* Operations of the lanes of a warp: they go on when all lanes of the mask that have not ended have arrived. */
#pragma once
#include "access.h"

namespace alphaz
{

static void order_lanes(Thread *warp, unsigned members)
{
    uint32_t lanes[32] = {};
    Known known, fenced, in_block;
    for (int at = 0; at < 32; at++) {
        if (!(members >> at & 1)) continue;
        for (int other = 0; other < 32; other++) lanes[other] = std::max(lanes[other], warp[at].lanes[other]);
        known = joined(known, warp[at].known);
        fenced = joined(fenced, warp[at].fenced);
        in_block = joined(in_block, warp[at].fenced_in_block);
    }
    for (int at = 0; at < 32; at++) {
        if (!(members >> at & 1)) continue;
        Thread &thread = warp[at];
        std::copy(lanes, lanes + 32, thread.lanes);
        thread.epoch = thread.lanes[at] = lanes[at] + 1;
        thread.known = known;
        thread.fenced = fenced;
        thread.fenced_in_block = in_block;
    }
}

static long long combined(Vote vote, long long one, long long other)
{
    switch (vote) {
    case Vote::MIN: return std::min(one, other);
    case Vote::MAX: return std::max(one, other);
    case Vote::AND: return one & other;
    case Vote::OR: return one | other;
    case Vote::XOR: return one ^ other;
    default: return one + other;
    }
}

/* The vote of the members, as one of them sees it. */
static unsigned counted(Thread *warp, unsigned members, int self)
{
    const Wait &mine = warp[self].wait;
    unsigned equal = 0, set = 0;
    long long sum = 0;
    bool is_first = true;
    for (int at = 0; at < 32; at++) {
        if (!(members >> at & 1)) continue;
        const Wait &wait = warp[at].wait;
        if (!memcmp(wait.value, mine.value, mine.bytes)) equal |= 1u << at;
        if (mine.vote < Vote::MATCH) {
            int predicate;
            memcpy(&predicate, wait.value, sizeof predicate);
            if (predicate) set |= 1u << at;
        } else if (mine.vote > Vote::SAME) {
            long long value;
            memcpy(&value, wait.value, sizeof value);
            sum = is_first ? value : combined(mine.vote, sum, value);
            is_first = false;
        }
    }
    switch (mine.vote) {
    case Vote::BALLOT: return set;
    case Vote::ANY: return set != 0;
    case Vote::ALL: return set == members;
    case Vote::MATCH: return equal;
    case Vote::SAME: return equal == members ? members : 0;
    default: return (unsigned)sum;
    }
}

static void take_from_lane(Thread *warp, unsigned members, Thread &thread)
{
    Wait &wait = thread.wait;
    const int source = wait.source & 31;
    if (members >> source & 1) {
        memcpy(wait.result, warp[source].wait.value, wait.bytes);
        return;
    }
    memset(wait.result, 0xFF, wait.bytes);
    if (is_new("inactive lane", wait.pc))
        report("inactive lane", {present("shuffle", wait.pc, &thread)}, Json().add("lane", source));
}

static double part_of(const Wait &wait, int at)
{
    double value;
    memcpy(&value, wait.value + 8 * at, 8);
    return value;
}

/* The fragments of mma.m8n8k4 and m16n8k{4,8,16} in double (PTX ISA, 9.7.14.5). */
static void multiply_fragments(Thread *warp, int self)
{
    Wait &wait = warp[self].wait;
    const Product form = (Product)wait.source;
    const int depth = form == Product::F64_16_8_16 ? 16 : form == Product::F64_16_8_8 ? 8 : 4;
    const int row_groups = form == Product::F64_8_8_4 ? 1 : 2, group = self / 4, quad = self % 4;
    for (int e = 0; e < 2 * row_groups; e++) {
        const int column = 2 * quad + e % 2, upper = e / 2;
        double sum = part_of(wait, e);
        for (int k = 0; k < depth; k++)
            sum = fma(part_of(warp[group * 4 + k % 4].wait, 4 + k / 4 * row_groups + upper),
                      part_of(warp[column * 4 + k % 4].wait, 12 + k / 4), sum);
        memcpy(wait.result + 8 * e, &sum, 8);
    }
}

/* Lets the members go on, with the results. */
static void complete(Thread *warp, unsigned members)
{
    for (int at = 0; at < 32; at++) {
        if (!(members >> at & 1)) continue;
        Thread &thread = warp[at];
        switch (thread.wait.exchange) {
        case Exchange::ORDER: break;
        case Exchange::VOTE: thread.wait.source = (int)counted(warp, members, at); break;
        case Exchange::SHUFFLE: take_from_lane(warp, members, thread); break;
        case Exchange::PRODUCT: multiply_fragments(warp, at); break;
        }
    }
    const int first = __builtin_ctz(members);
    if (warp[first].wait.exchange == Exchange::ORDER) order_lanes(warp, members);
    for (int at = 0; at < 32; at++)
        if (members >> at & 1) make_ready(warp[at]);
}

/* Lanes that wait with the mask of `thread`; `missing`: lanes of the mask that have not ended and do not. */
static unsigned waiting(const Thread &thread, unsigned &missing)
{
    Thread *warp = warp_of(thread);
    unsigned members = 0;
    missing = 0;
    for (int at = 0; at < warp_size(thread); at++) {
        if (!(thread.wait.mask >> at & 1) || warp[at].state == State::DONE) continue;
        const bool is_same = warp[at].state == State::WARP && warp[at].wait.mask == thread.wait.mask &&
                             warp[at].wait.exchange == thread.wait.exchange;
        (is_same ? members : missing) |= 1u << at;
    }
    return members;
}

static void check_places(Thread *warp, unsigned members)
{
    const Thread &first = warp[__builtin_ctz(members)];
    for (int at = 0; at < 32 && first.wait.exchange != Exchange::ORDER; at++)
        if ((members >> at & 1) && warp[at].wait.pc != first.wait.pc) {
            if (is_new("different operations", first.wait.pc, warp[at].wait.pc))
                report("different operations",
                       {present("wait", first.wait.pc, &first), present("wait", warp[at].wait.pc, &warp[at])});
            return;
        }
}

/* Completes an operation of a warp if all lanes are there. */
static void try_complete(const Thread &thread)
{
    unsigned missing, members = waiting(thread, missing);
    if (missing || !members) return;
    check_places(warp_of(thread), members);
    complete(warp_of(thread), members);
}

/* A lane has ended: others may wait for no other. */
static void lane_ended(const Thread &thread)
{
    Thread *warp = warp_of(thread);
    for (int at = 0; at < warp_size(thread); at++)
        if (warp[at].state == State::WARP) try_complete(warp[at]);
}

/* Completes an operation for which lanes are missing, and reports it. */
static void complete_without(const Thread &thread)
{
    unsigned missing, members = waiting(thread, missing);
    const Thread &absent = warp_of(thread)[__builtin_ctz(missing)];
    if (is_new("missing lanes", thread.wait.pc))
        report("missing lanes", {present("wait", thread.wait.pc, &thread), present("wait", absent.wait.pc, &absent)},
               Json().add("mask", thread.wait.mask).add("missing", missing));
    complete(warp_of(thread), members);
}

static void wait_in_warp(Exchange exchange, unsigned mask, const void *pc)
{
    in_runtime = true;
    now->wait.exchange = exchange;
    now->wait.mask = mask;
    now->wait.pc = pc;
    if (!(mask >> lane() & 1) && is_new("missing lanes", pc))
        report("missing lanes", {present("wait", pc)}, Json().add("mask", mask).add("missing", 1u << lane()));
    now->wait.mask |= 1u << lane();
    now->state = State::WARP;
    try_complete(*now);
    pause();
}

/* Puts values of the running thread where the other lanes find them. */
static void give(size_t at, const void *value, size_t bytes)
{
    Inside inside;
    memcpy(now->wait.value + at, value, bytes);
}

void warp_barrier(unsigned mask, int line, const void *pc)
{
    if (!is_left_out(line)) wait_in_warp(Exchange::ORDER, mask, pc);
}

unsigned vote(Vote vote, unsigned mask, const void *value, size_t bytes, const void *pc)
{
    now->wait.vote = vote;
    now->wait.bytes = bytes;
    give(0, value, bytes);
    wait_in_warp(Exchange::VOTE, mask, pc);
    return (unsigned)now->wait.source;
}

void shuffle(unsigned mask, const void *value, void *result, size_t bytes, int lane, const void *pc)
{
    now->wait.source = lane;
    now->wait.bytes = bytes;
    give(0, value, bytes);
    wait_in_warp(Exchange::SHUFFLE, mask, pc);
    Inside inside;
    memcpy(result, now->wait.result, bytes);
}

void multiply(Product product, double *c, const double *a, const double *b, const void *pc)
{
    const size_t sizes[][3] = {{2, 1, 1}, {4, 2, 1}, {4, 4, 2}, {4, 8, 4}}; /* parts of c, a and b in a lane */
    const size_t *parts = sizes[(int)product];
    now->wait.source = (int)product;
    give(0, c, 8 * parts[0]);
    give(32, a, 8 * parts[1]);
    give(96, b, 8 * parts[2]);
    wait_in_warp(Exchange::PRODUCT, ~0u, pc);
    Inside inside;
    memcpy(c, now->wait.result, 8 * parts[0]);
}

unsigned active_lanes()
{
    unsigned found = 0;
    for (int at = 0; at < warp_size(*now); at++)
        if (warp_of(*now)[at].state != State::DONE) found |= 1u << at;
    return found;
}

} // namespace alphaz
