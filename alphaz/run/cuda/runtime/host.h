/* The functions of the CUDA runtime that hosts call, and launches. */
#pragma once
#include <initializer_list>
#include <type_traits>
#include "types.h"

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
enum { cudaHostAllocDefault = 0, cudaMemAttachGlobal = 1, cudaHostAllocMapped = 2 };
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    int regsPerBlock, warpSize, maxThreadsPerBlock, multiProcessorCount, major, minor, maxThreadsPerMultiProcessor;
    int maxThreadsDim[3], maxGridSize[3];
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

namespace alphaz
{
struct Stream;
struct Record;
enum class Place { DEVICE, PINNED, MANAGED, SHARED };

struct Configuration {
    dim3 grid, block;
    size_t shared;
    Stream *stream;
    Configuration(dim3 grid, dim3 block, size_t shared = 0, Stream *stream = nullptr)
        : grid(grid), block(block), shared(shared), stream(stream)
    {
    }
};

/* An argument of a launch that is a pointer. */
struct Parameter {
    const char *name;
    const void *address;
    size_t element;
};

/* A pointer to elements of this size, whose type the kernel declares. */
struct Pointer {
    void *address;
    size_t element;
    template <class T> operator T *() const { return (T *)address; }
};

cudaError_t allocate(const char *text, void **array, size_t bytes, Place place);
/* `is_async`: the host does not wait for the end, and hands its memory over until then. */
cudaError_t copied(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, Stream *stream, bool is_async,
                   const void *pc);
cudaError_t filled(void *array, int value, size_t bytes, Stream *stream, bool is_async, const void *pc);
cudaError_t set_attribute(const char *kernel, cudaFuncAttribute attribute, int value);
void run(const char *kernel, const Parameter *parameters, int count, const Configuration &configuration,
         void (*body)(void *), void *data, const void *pc);
void used_by_host(const void *address, size_t bytes);
void declare(void *variable, size_t bytes, size_t element, const size_t *extents, int rank, const char *name,
             Place place);

template <class T> Parameter parameter(const char *, T) { return {nullptr, nullptr, 1}; }
inline Parameter parameter(const char *name, Pointer pointer) { return {name, pointer.address, pointer.element}; }
template <class T> Parameter parameter(const char *name, T *address)
{
    if constexpr (std::is_void_v<T> || std::is_function_v<T>)
        return {name, (const void *)address, 1};
    else
        return {name, (const void *)address, sizeof(T)};
}

/* Calls `kernel`, a function of the arguments, in every thread. The arguments are evaluated once. */
template <class Kernel, class... Arguments>
ALPHAZ_UNSEEN void launch(const char *name, std::initializer_list<const char *> names,
                          const Configuration &configuration, Kernel kernel, Arguments... arguments)
{
    const char *const *next = names.begin();
    const Parameter parameters[] = {parameter(next != names.end() ? *next++ : "", arguments)..., {nullptr, nullptr, 1}};
    auto body = [&]() __attribute__((no_sanitize("thread"))) { kernel(arguments...); };
    using Body = decltype(body);
    run(
        name, parameters, sizeof...(arguments), configuration,
        [](void *data) __attribute__((no_sanitize("thread"))) { (*(Body *)data)(); }, &body, ALPHAZ_PC);
}

/* A variable of file scope in memory of the device, or of blocks. */
struct Variable {
    template <class T> Variable(T &variable, const char *name, Place place)
    {
        using Element = std::remove_all_extents_t<T>;
        const size_t extents[] = {std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>, std::extent_v<T, 3>};
        declare((void *)&variable, sizeof variable, sizeof(Element), extents, std::rank_v<T>, name, place);
    }
};

template <class T> cudaError_t allocated(const char *text, T **array, size_t bytes, Place place = Place::DEVICE)
{
    void *found = nullptr;
    const cudaError_t error = allocate(text, &found, bytes, place);
    *array = (T *)found;
    return error;
}
} // namespace alphaz

typedef alphaz::Stream *cudaStream_t;
typedef alphaz::Record *cudaEvent_t;

/* The text of the first argument names the array in findings. */
#define cudaMalloc(...) alphaz::allocated(#__VA_ARGS__, __VA_ARGS__)
#define cudaMallocHost(...) alphaz::allocated_host(#__VA_ARGS__, __VA_ARGS__)
#define cudaHostAlloc(...) alphaz::allocated_host(#__VA_ARGS__, __VA_ARGS__)
#define cudaMallocManaged(...) alphaz::allocated_managed(#__VA_ARGS__, __VA_ARGS__)
#define cudaMallocAsync(...) alphaz::allocated_async(#__VA_ARGS__, __VA_ARGS__)

namespace alphaz
{
template <class T> cudaError_t allocated_host(const char *text, T **array, size_t bytes, unsigned = 0)
{
    return allocated(text, array, bytes, Place::PINNED);
}
template <class T> cudaError_t allocated_managed(const char *text, T **array, size_t bytes, unsigned = 0)
{
    return allocated(text, array, bytes, Place::MANAGED);
}
template <class T> cudaError_t allocated_async(const char *text, T **array, size_t bytes, Stream *)
{
    return allocated(text, array, bytes);
}
} // namespace alphaz

cudaError_t cudaFree(void *array);
cudaError_t cudaFreeHost(void *array);
inline cudaError_t cudaFreeAsync(void *, cudaStream_t) { return cudaSuccess; }
ALPHAZ_UNSEEN inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return alphaz::copied(to, from, bytes, kind, nullptr, false, ALPHAZ_PC);
}
ALPHAZ_UNSEEN inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                                 cudaStream_t stream = nullptr)
{
    return alphaz::copied(to, from, bytes, kind, stream, true, ALPHAZ_PC);
}
ALPHAZ_UNSEEN inline cudaError_t cudaMemset(void *array, int value, size_t bytes)
{
    return alphaz::filled(array, value, bytes, nullptr, false, ALPHAZ_PC);
}
ALPHAZ_UNSEEN inline cudaError_t cudaMemsetAsync(void *array, int value, size_t bytes, cudaStream_t stream = nullptr)
{
    return alphaz::filled(array, value, bytes, stream, true, ALPHAZ_PC);
}
ALPHAZ_UNSEEN inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                              size_t width, size_t height, cudaMemcpyKind kind)
{
    cudaError_t error = cudaSuccess;
    for (size_t row = 0; row < height && error == cudaSuccess; row++) {
        const char *source = (const char *)from + row * from_pitch;
        error = alphaz::copied((char *)to + row * to_pitch, source, width, kind, nullptr, false, ALPHAZ_PC);
    }
    return error;
}
template <class T> ALPHAZ_UNSEEN cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                                                size_t offset = 0,
                                                                cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return alphaz::copied((char *)&symbol + offset, from, bytes, kind, nullptr, false, ALPHAZ_PC);
}
template <class T> ALPHAZ_UNSEEN cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                                                  size_t offset = 0,
                                                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return alphaz::copied(to, (const char *)&symbol + offset, bytes, kind, nullptr, false, ALPHAZ_PC);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    return *address = (void *)&symbol, cudaSuccess;
}

cudaError_t cudaDeviceSynchronize();
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t error);
inline const char *cudaGetErrorName(cudaError_t error) { return cudaGetErrorString(error); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
inline cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithFlags(stream, 0); }
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int)
{
    return cudaStreamCreateWithFlags(stream, flags);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned);
inline cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t)
{
    return *milliseconds = 1.0f, cudaSuccess; /* time has no meaning here */
}
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, cudaSuccess; }
inline cudaError_t cudaDeviceReset() { return cudaDeviceSynchronize(); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
template <class F> cudaError_t cudaFuncSetCacheConfig(F, cudaFuncCache) { return cudaSuccess; }
template <class F> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F, int, size_t)
{
    return *blocks = 1, cudaSuccess;
}
