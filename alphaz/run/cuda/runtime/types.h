/* Vector types and dimensions of CUDA, with their sizes and alignments. */
#pragma once
#include <cstddef>
#include <cstdint>

#define ALPHAZ_VECTORS(name, type, align2, align4)                                                                     \
    struct name##1 { type x; };                                                                                        \
    struct alignas(align2) name##2 { type x, y; };                                                                     \
    struct name##3 { type x, y, z; };                                                                                  \
    struct alignas(align4) name##4 { type x, y, z, w; };                                                               \
    inline name##1 make_##name##1(type x) { return {x}; }                                                              \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }                                                   \
    inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                                        \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

ALPHAZ_VECTORS(char, signed char, 2, 4)
ALPHAZ_VECTORS(uchar, unsigned char, 2, 4)
ALPHAZ_VECTORS(short, short, 4, 8)
ALPHAZ_VECTORS(ushort, unsigned short, 4, 8)
ALPHAZ_VECTORS(int, int, 8, 16)
ALPHAZ_VECTORS(uint, unsigned, 8, 16)
ALPHAZ_VECTORS(long, long, 16, 16)
ALPHAZ_VECTORS(ulong, unsigned long, 16, 16)
ALPHAZ_VECTORS(longlong, long long, 16, 16)
ALPHAZ_VECTORS(ulonglong, unsigned long long, 16, 16)
ALPHAZ_VECTORS(float, float, 8, 16)
ALPHAZ_VECTORS(double, double, 16, 16)
#undef ALPHAZ_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

/* The compiler sees constants, so that reads of them are no accesses; the runtime sets them before a thread goes on. */
#ifndef ALPHAZ_RUNTIME
extern "C" {
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;
}
#endif
constexpr int warpSize = 32;

/* Functions of these headers that access memory in the name of the user's text. */
#define ALPHAZ_UNSEEN __attribute__((noinline, no_sanitize("thread")))
