/* Findings, one a line on standard error, as JSON after a mark. Python words them and finds their lines in the text. */
#pragma once
#include <unistd.h>
#include <cstdio>
#include <set>
#include <string>
#include <tuple>
#include "thread.h"

namespace alphaz
{

static constexpr size_t MOST_FINDINGS = 100;
static std::set<std::tuple<const char *, const void *, const void *>> reported;

/* Returns True once for each kind and pair of places. */
static bool is_new(const char *kind, const void *pc, const void *other = nullptr)
{
    Inside inside;
    return reported.size() < MOST_FINDINGS && reported.insert({kind, pc, other}).second;
}

/* Text of a JSON object. */
class Json
{
    std::string text;

  public:
    Json &add(const char *key, const std::string &value)
    {
        std::string quoted;
        for (char c : value) {
            if (c == '"' || c == '\\') quoted += '\\';
            quoted += (unsigned char)c < 32 ? ' ' : c;
        }
        return raw(key, "\"" + quoted + "\"");
    }
    Json &add(const char *key, unsigned long long value) { return raw(key, std::to_string(value)); }
    Json &add(const char *key, uint3 v)
    {
        return raw(key, "[" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + "]");
    }
    Json &raw(const char *key, const std::string &value)
    {
        text += (text.empty() ? "\"" : ",\"") + std::string(key) + "\":" + value;
        return *this;
    }
    std::string str() const { return "{" + text + "}"; }
};

/* An access, or the arrival at a wait: who, and the place as an address of the program. */
static std::string place(const char *what, const void *pc, const std::string &who, const uint3 *block,
                         const uint3 *thread)
{
    Json found;
    found.add("what", what).add("pc", (unsigned long long)pc).add("who", who);
    if (block) found.add("block", *block).add("thread", *thread);
    return found.str();
}

static std::string present(const char *what, const void *pc, const Thread *thread = now)
{
    if (!thread) return place(what, pc, launch_now.kernel.empty() ? "the host" : launch_now.kernel, nullptr, nullptr);
    const uint3 block = block_index(launch_now.block);
    return place(what, pc, launch_now.kernel, &block, &thread->index);
}

static std::string list(std::initializer_list<std::string> objects)
{
    std::string found;
    for (const std::string &object : objects) found += (found.empty() ? "" : ",") + object;
    return "[" + found + "]";
}

static void report(const char *kind, std::initializer_list<std::string> places, const Json &details = Json())
{
    Json found;
    found.add("kind", kind).add("kernel", launch_now.kernel).raw("places", list(places)).raw("details", details.str());
    const std::string line = "alphaz-cuda " + found.str() + "\n";
    for (size_t done = 0; done < line.size();) {
        const ssize_t part = write(2, line.data() + done, line.size() - done);
        if (part <= 0) return;
        done += (size_t)part;
    }
}

/* The cell at an address, in the words of the text: the parameter that points there, or the array, and indices. */
static Json cell_of(const Array &array, const char *address)
{
    const char *base = array.base;
    std::string name = array.name;
    size_t element = array.element;
    bool is_parameter = false;
    for (int at = 0; at < launch_now.parameter_count; at++) {
        const Parameter &parameter = launch_now.parameters[at];
        const char *start = (const char *)parameter.address;
        if (!start || start < array.base || start > array.base + array.bytes || start > address) continue;
        if (is_parameter && start < base) continue;
        base = start;
        name = parameter.name;
        element = parameter.element;
        is_parameter = true;
    }
    const long long offset = address - base;
    std::string index = std::to_string(offset >= 0 ? offset / (long long)element
                                                   : -((-offset + (long long)element - 1) / (long long)element));
    if (!is_parameter && offset >= 0 && array.extents.size() > 1) {
        size_t number = (size_t)offset / element;
        index = "";
        for (size_t at = array.extents.size(); at-- > 0; number /= at ? array.extents[at] : 1)
            index = std::to_string(at ? number % array.extents[at] : number) + (index.empty() ? "" : "][") + index;
    }
    const bool is_scalar = !is_parameter && array.memory == Memory::SHARED && array.extents.empty();
    Json found;
    found.add("cell", is_scalar && !offset ? name : name + "[" + index + "]")
        .add("memory", memory_names[(int)array.memory]);
    found.add("array", name).add("elements", array.bytes / std::max<size_t>(element, 1)).add("allocated", array.name);
    return found;
}

} // namespace alphaz
