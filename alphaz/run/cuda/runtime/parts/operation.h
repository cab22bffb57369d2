/* Operations of streams and of the host, and the order between them: a vector clock with an entry for each actor. */
#pragma once
#include <string>
#include <vector>
#include "../host.h"

namespace alphaz
{

using Order = std::vector<uint32_t>;

static void join(Order &order, const Order &other)
{
    if (order.size() < other.size()) order.resize(other.size());
    for (size_t at = 0; at < other.size(); at++) order[at] = std::max(order[at], other[at]);
}

/* Something that executes operations one after another: the host, or a stream. */
struct Stream {
    size_t actor;
    bool is_blocking; /* waits for the default stream, which waits for it */
    Order order;
};

/* An event: the operations before it. */
struct Record {
    Order order;
};

struct Operation {
    size_t actor;
    uint32_t number;
    Order before;
    std::string name;
};

static std::vector<Operation> operations;
static std::vector<Stream *> streams;

static Stream *new_stream(bool is_blocking)
{
    streams.push_back(new Stream{streams.size(), is_blocking, Order()});
    return streams.back();
}

static Stream &host()
{
    static Stream *found = new_stream(false);
    return *found;
}
static Stream &default_stream()
{
    host();
    static Stream *found = new_stream(true);
    return *found;
}

static uint32_t new_operation(Stream &actor, const std::string &name)
{
    if (actor.order.size() <= actor.actor) actor.order.resize(actor.actor + 1);
    const uint32_t number = ++actor.order[actor.actor];
    operations.push_back({actor.actor, number, actor.order, name});
    return (uint32_t)operations.size() - 1;
}

/* What the host does from here on until it issues or waits for something. */
static uint32_t host_operation;
static void host_goes_on() { host_operation = new_operation(host(), "the host"); }

static bool is_before(uint32_t first, uint32_t second)
{
    const Operation &x = operations[first], &y = operations[second];
    return first == second || (x.actor < y.before.size() && y.before[x.actor] >= x.number);
}

/* An operation that the host issues to a stream (null: the default one). */
static uint32_t issue(Stream *given, const std::string &name)
{
    Stream &stream = given ? *given : default_stream();
    join(stream.order, host().order);
    if (&stream == &default_stream())
        for (Stream *other : streams)
            if (other->is_blocking) join(stream.order, other->order);
    if (stream.is_blocking) join(stream.order, default_stream().order);
    const uint32_t found = new_operation(stream, name);
    host_goes_on();
    return found;
}

static void host_waits(const Order &order)
{
    join(host().order, order);
    host_goes_on();
}

} // namespace alphaz
