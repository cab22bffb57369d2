/* What a text of CUDA may use; nvcc includes this file in every text. */
#pragma once
#include <cstddef>
extern "C" {
void *memcpy(void *, const void *, size_t) noexcept __asm__("alphaz_memcpy");
void *memmove(void *, const void *, size_t) noexcept __asm__("alphaz_memmove");
void *memset(void *, int, size_t) noexcept __asm__("alphaz_memset");
}
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "../types.h"
#include "../device.h"
#include "../host.h"

#define __forceinline__
#define __host__
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
