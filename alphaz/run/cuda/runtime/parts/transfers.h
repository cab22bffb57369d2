/* Allocations, copies, streams and events: the functions that the host calls. */
#pragma once
#include "launch.h"

namespace alphaz
{

/* `(void **)&dA, n` is an array dA. */
static std::string name_in(const std::string &text)
{
    std::string found;
    int depth = 0;
    for (char c : text) {
        depth += c == '(' || c == '[' ? 1 : 0;
        if (depth == 0 && c == ',') break;
        if (depth == 0 && (isalnum((unsigned char)c) || strchr("_.>-:", c))) found += c;
        depth -= c == ')' || c == ']' ? 1 : 0;
    }
    return found.empty() ? text.substr(0, text.find(',')) : found;
}

static Memory memory_of(Place place)
{
    switch (place) {
    case Place::PINNED: return Memory::PINNED;
    case Place::MANAGED: return Memory::MANAGED;
    case Place::SHARED: return Memory::SHARED;
    default: return Memory::GLOBAL;
    }
}

/* The record of accesses takes sixteen times the space. */
static constexpr size_t MOST_BYTES = size_t(1) << 26;

cudaError_t allocate(const char *text, void **array, size_t bytes, Place place)
{
    if (bytes > MOST_BYTES) unsupported("an array of more than 64 MiB");
    char *base = global_arena.take(std::max<size_t>(bytes, 1));
    if (!base) return last_error = cudaErrorMemoryAllocation;
    Inside inside;
    memset(base, 0xFF, bytes);
    new_array(base, bytes, memory_of(place), name_in(text), 1, {});
    *array = base;
    return cudaSuccess;
}

void declare(void *variable, size_t bytes, size_t element, const size_t *extents, int rank, const char *name,
             Place place)
{
    Array *array =
        new_array((char *)variable, bytes, memory_of(place), name, element, {extents, extents + std::min(rank, 4)});
    if (place == Place::SHARED) shared_arrays[{"", name}] = array;
    for (Cell &cell : array->cells) cell.written = 0xF;
}

/* An operation of a stream accesses memory of the device, or of the host. */
static void access_by(uint32_t operation, const char *address, size_t bytes, bool is_write, bool is_async,
                      const void *pc)
{
    Array *array = array_of(address);
    if (!array && !global_arena.has(address)) {
        if (is_async) host_ranges.push_back({address, bytes, operation, is_write, pc});
        return;
    }
    const uint32_t host_operation_before = host_operation;
    host_operation = operation;
    launch_now.kernel = operations[operation].name;
    if (!array || address + bytes > array->base + array->bytes) {
        report_outside(address, bytes, is_write ? Kind::WRITE : Kind::READ, pc);
    } else {
        const char *begin = address - (address - array->base) % 4;
        for (const char *at = begin; at < address + bytes; at += 4) { /* copies may have cells without values */
            const char *from = std::max(at, address), *to = std::min(at + 4, address + bytes);
            const uint8_t mask = (uint8_t)(((1u << (to - from)) - 1) << (from - at));
            Cell &cell = array->cell((size_t)(at - array->base) / 4);
            record(*array, (size_t)(at - array->base) / 4, cell, mask, is_write ? Kind::WRITE : Kind::READ, pc);
            if (is_write) cell.written |= mask;
        }
    }
    launch_now.kernel.clear();
    host_operation = host_operation_before;
}

/* After a copy inside of the device, its cells hold values where those of the source do. */
static void copy_written(char *to, const char *from, size_t bytes)
{
    Array *target = array_of(to), *source = array_of(from);
    if (!target || !source || !target->has(to + bytes - 1) || !source->has(from + bytes - 1)) return;
    for (size_t at = 0; at < bytes; at++) {
        const size_t read = (size_t)(from + at - source->base), set = (size_t)(to + at - target->base);
        const bool is_written = source->cell(read / 4).written >> read % 4 & 1;
        Cell &cell = target->cell(set / 4);
        if (!is_written) cell.written &= (uint8_t)~(1u << set % 4);
    }
}

static bool is_device(const void *address)
{
    Array *array = array_of((const char *)address);
    return array ? array->memory == Memory::GLOBAL : global_arena.has((const char *)address);
}
static bool is_on_both(const void *address)
{
    Array *array = array_of((const char *)address);
    return array && array->memory != Memory::GLOBAL;
}

static bool fits(const void *to, const void *from, cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return kind == cudaMemcpyDefault ||
           ((is_on_both(to) || is_device(to) == to_device) && (is_on_both(from) || is_device(from) == from_device));
}

static void report_direction(const std::string &name, const void *pc)
{
    launch_now.kernel = name;
    if (is_new("direction", pc)) report("direction", {present(name.c_str(), pc)});
    launch_now.kernel.clear();
}

cudaError_t copied(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, Stream *stream, bool is_async,
                   const void *pc)
{
    Inside inside;
    const std::string name = is_async ? "cudaMemcpyAsync" : "cudaMemcpy";
    if (bytes == 0) return cudaSuccess;
    if (!fits(to, from, kind)) {
        report_direction(name, pc);
        return last_error = cudaErrorInvalidMemcpyDirection;
    }
    const uint32_t operation = issue(stream, name);
    access_by(operation, (const char *)from, bytes, false, is_async, pc);
    access_by(operation, (char *)to, bytes, true, is_async, pc);
    memmove(to, from, bytes);
    copy_written((char *)to, (const char *)from, bytes);
    if (!is_async && kind != cudaMemcpyDeviceToDevice) host_waits(default_stream().order);
    return cudaSuccess;
}

cudaError_t filled(void *array, int value, size_t bytes, Stream *stream, bool is_async, const void *pc)
{
    Inside inside;
    const std::string name = is_async ? "cudaMemsetAsync" : "cudaMemset";
    if (bytes == 0) return cudaSuccess;
    if (!is_device(array) && !is_on_both(array)) {
        report_direction(name, pc);
        return last_error = cudaErrorInvalidValue;
    }
    access_by(issue(stream, name), (char *)array, bytes, true, is_async, pc);
    memset(array, value, bytes);
    return cudaSuccess;
}

/* The caller of the text reads an array. */
void used_by_host(const void *address, size_t bytes) { touch(address, bytes, Kind::READ, nullptr); }

static cudaError_t waited(const Order &order)
{
    Inside inside;
    host_waits(order);
    host_ranges.erase(std::remove_if(host_ranges.begin(), host_ranges.end(),
                                     [](const HostRange &range) { return is_before(range.operation, host_operation); }),
                      host_ranges.end());
    return cudaSuccess;
}

} // namespace alphaz

using namespace alphaz;

cudaError_t cudaFree(void *array)
{
    cudaDeviceSynchronize();
    if (!array) return cudaSuccess;
    auto found = arrays.find((const char *)array);
    if (found == arrays.end() || found->second->is_freed) return last_error = cudaErrorInvalidValue;
    found->second->is_freed = true;
    forget_recent();
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void *array) { return cudaFree(array); }

cudaError_t cudaDeviceSynchronize()
{
    Order all;
    for (Stream *stream : streams) join(all, stream->order);
    return waited(all);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return waited((stream ? stream : &default_stream())->order); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return waited(event->order); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    default_stream();
    *stream = new_stream(!(flags & cudaStreamNonBlocking));
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return *event = new Record, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    const uint32_t operation = issue(stream, "cudaEventRecord");
    event->order = operations[operation].before;
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    join((stream ? stream : &default_stream())->order, event->order);
    return cudaSuccess;
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}
cudaError_t cudaPeekAtLastError() { return last_error; }

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorInvalidMemcpyDirection: return "invalid copy direction for memcpy";
    default: return "unknown error";
    }
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    *properties = {"execution without a GPU",
                   size_t(1) << 34,
                   SHARED_LIMIT,
                   MOST_SHARED,
                   MOST_SHARED,
                   65536,
                   32,
                   MOST_THREADS,
                   4,
                   9,
                   0,
                   2048,
                   {1024, 1024, 64},
                   {0x7fffffff, 65535, 65535}};
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = MOST_THREADS; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = SHARED_LIMIT; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = MOST_SHARED; break;
    case cudaDevAttrMultiProcessorCount: *value = 4; break;
    }
    return cudaSuccess;
}
