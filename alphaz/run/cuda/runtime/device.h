/* Functions of kernels: barriers, operations of warps, atomic operations, fences, asynchronous copies, arithmetic.
 *
 * The runtime takes the place of a call from its return address; `line` serves executions without the call at a line.
 */
#pragma once
#include <cmath>
#include <cstring>
#include <type_traits>
#include "types.h"

namespace alphaz
{

enum class Vote { NONE, ANY, ALL, COUNT, BALLOT, MATCH, SAME, MIN, MAX, ADD, AND, OR, XOR };
enum class Scope { BLOCK, DEVICE };

/* A wait of all threads of the block; returns the vote on the predicates. */
int barrier(Vote vote, int predicate, int line, const void *pc);
/* A wait of the lanes of a mask that orders their accesses. */
void warp_barrier(unsigned mask, int line, const void *pc);
/* Votes and exchanges of the lanes of a mask. They order no accesses. */
unsigned vote(Vote vote, unsigned mask, const void *value, size_t bytes, const void *pc);
void shuffle(unsigned mask, const void *value, void *result, size_t bytes, int lane, const void *pc);
/* c += a b for rows x columns x depth, in the fragments of PTX's mma. */
enum class Product { F64_8_8_4, F64_16_8_4, F64_16_8_8, F64_16_8_16 };
void multiply(Product product, double *c, const double *a, const double *b, const void *pc);
unsigned active_lanes();
int lane();
void atomic(void *address, size_t bytes, Scope scope, const void *pc);
void fence(Scope scope, int line);
void copy(void *to, const void *from, size_t bytes, size_t zeros, const void *pc);
void commit();
void wait(size_t left, int line);
/* Ends the program: this is not executed without a GPU. */
[[noreturn]] void unsupported(const char *what);
void *shared(const char *function, const char *name, size_t bytes, size_t element, const size_t *extents, int rank,
             bool is_dynamic, const void *pc);

/* An array of the block. `function` tells the instances of a template apart. */
template <class T> ALPHAZ_UNSEEN T &shared_array(const char *function, const char *name, bool is_dynamic = false)
{
    using Element = std::remove_all_extents_t<T>;
    const size_t extents[] = {std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>, std::extent_v<T, 3>};
    size_t bytes = 0;
    if constexpr (!std::is_array_v<T> || std::extent_v<T> != 0) bytes = sizeof(T);
    const void *pc = __builtin_return_address(0);
    return *(T *)shared(function, name, bytes, sizeof(Element), extents, std::rank_v<T>, is_dynamic, pc);
}

template <class T> ALPHAZ_UNSEEN T shuffled(unsigned mask, T value, int source, const void *pc)
{
    static_assert(sizeof(T) <= 16, "shuffles exchange values of at most 16 bytes");
    T result;
    shuffle(mask, &value, &result, sizeof value, source, pc);
    return result;
}

/* The lane whose value a shuffle takes in a warp that is cut into parts (PTX, `shfl.sync`). */
inline int own_if(bool is_inside, int source) { return is_inside ? source : lane(); }
inline int first_lane(int width) { return lane() & ~(width - 1); }
inline int last_lane(int width) { return lane() | (width - 1); }

} // namespace alphaz

#define ALPHAZ_PC __builtin_return_address(0)

namespace alphaz
{
ALPHAZ_UNSEEN inline void product(Product form, double *c, const double *a, const double *b)
{
    multiply(form, c, a, b, ALPHAZ_PC);
}
} // namespace alphaz

#define ALPHAZ_LINE int line = __builtin_LINE()

ALPHAZ_UNSEEN inline void __syncthreads(ALPHAZ_LINE) { alphaz::barrier(alphaz::Vote::NONE, 0, line, ALPHAZ_PC); }
#define ALPHAZ_BARRIER(name, kind)                                                                                     \
    ALPHAZ_UNSEEN inline int name(int predicate, ALPHAZ_LINE)                                                          \
    {                                                                                                                  \
        return alphaz::barrier(alphaz::Vote::kind, predicate, line, ALPHAZ_PC);                                        \
    }
ALPHAZ_BARRIER(__syncthreads_or, ANY)
ALPHAZ_BARRIER(__syncthreads_and, ALL)
ALPHAZ_BARRIER(__syncthreads_count, COUNT)
#undef ALPHAZ_BARRIER
ALPHAZ_UNSEEN inline void __syncwarp(unsigned mask = 0xffffffffu, ALPHAZ_LINE)
{
    alphaz::warp_barrier(mask, line, ALPHAZ_PC);
}
inline unsigned __activemask() { return alphaz::active_lanes(); }

#define ALPHAZ_VOTE(name, kind, Result)                                                                                \
    ALPHAZ_UNSEEN inline Result name(unsigned mask, int predicate)                                                     \
    {                                                                                                                  \
        return (Result)alphaz::vote(alphaz::Vote::kind, mask, &predicate, sizeof predicate, ALPHAZ_PC);                \
    }
ALPHAZ_VOTE(__ballot_sync, BALLOT, unsigned)
ALPHAZ_VOTE(__any_sync, ANY, int)
ALPHAZ_VOTE(__all_sync, ALL, int)
#undef ALPHAZ_VOTE

template <class T> ALPHAZ_UNSEEN unsigned __match_any_sync(unsigned mask, T value)
{
    return alphaz::vote(alphaz::Vote::MATCH, mask, &value, sizeof value, ALPHAZ_PC);
}
template <class T> ALPHAZ_UNSEEN unsigned __match_all_sync(unsigned mask, T value, int *is_same)
{
    unsigned found = alphaz::vote(alphaz::Vote::SAME, mask, &value, sizeof value, ALPHAZ_PC);
    *is_same = found != 0;
    return found;
}
#define ALPHAZ_REDUCE(name, kind)                                                                                      \
    template <class T> ALPHAZ_UNSEEN T name(unsigned mask, T value)                                                    \
    {                                                                                                                  \
        static_assert(sizeof(T) == 4, "reductions of a warp have 32 bits");                                            \
        long long wide = value;                                                                                        \
        return (T)alphaz::vote(alphaz::Vote::kind, mask, &wide, sizeof wide, ALPHAZ_PC);                               \
    }
ALPHAZ_REDUCE(__reduce_add_sync, ADD)
ALPHAZ_REDUCE(__reduce_min_sync, MIN)
ALPHAZ_REDUCE(__reduce_max_sync, MAX)
ALPHAZ_REDUCE(__reduce_and_sync, AND)
ALPHAZ_REDUCE(__reduce_or_sync, OR)
ALPHAZ_REDUCE(__reduce_xor_sync, XOR)
#undef ALPHAZ_REDUCE

template <class T> ALPHAZ_UNSEEN T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    return alphaz::shuffled(mask, value, alphaz::first_lane(width) | (source & (width - 1)), ALPHAZ_PC);
}
template <class T> ALPHAZ_UNSEEN T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    int source = alphaz::lane() - (int)delta;
    return alphaz::shuffled(mask, value, alphaz::own_if(source >= alphaz::first_lane(width), source), ALPHAZ_PC);
}
template <class T> ALPHAZ_UNSEEN T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    int source = alphaz::lane() + (int)delta;
    return alphaz::shuffled(mask, value, alphaz::own_if(source <= alphaz::last_lane(width), source), ALPHAZ_PC);
}
template <class T> ALPHAZ_UNSEEN T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32)
{
    int source = alphaz::lane() ^ bits;
    return alphaz::shuffled(mask, value, alphaz::own_if(source <= alphaz::last_lane(width), source), ALPHAZ_PC);
}

#define ALPHAZ_ATOMIC_IN(name, suffix, scope, expression)                                                              \
    template <class T, class U> ALPHAZ_UNSEEN T name##suffix(T *address, U operand)                                    \
    {                                                                                                                  \
        alphaz::atomic(address, sizeof *address, alphaz::Scope::scope, ALPHAZ_PC);                                     \
        const T old = *address, value = (T)operand;                                                                    \
        *address = (T)(expression);                                                                                    \
        return old;                                                                                                    \
    }
#define ALPHAZ_ATOMIC(name, expression)                                                                                \
    ALPHAZ_ATOMIC_IN(name, , DEVICE, expression)                                                                       \
    ALPHAZ_ATOMIC_IN(name, _block, BLOCK, expression)                                                                  \
    ALPHAZ_ATOMIC_IN(name, _system, DEVICE, expression)
ALPHAZ_ATOMIC(atomicAdd, old + value)
ALPHAZ_ATOMIC(atomicSub, old - value)
ALPHAZ_ATOMIC(atomicExch, value)
ALPHAZ_ATOMIC(atomicMin, value < old ? value : old)
ALPHAZ_ATOMIC(atomicMax, value > old ? value : old)
ALPHAZ_ATOMIC(atomicAnd, old &value)
ALPHAZ_ATOMIC(atomicOr, old | value)
ALPHAZ_ATOMIC(atomicXor, old ^ value)
ALPHAZ_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
ALPHAZ_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef ALPHAZ_ATOMIC
#undef ALPHAZ_ATOMIC_IN
#define ALPHAZ_CAS(name, scope)                                                                                        \
    template <class T, class U, class V> ALPHAZ_UNSEEN T name(T *address, U expected, V value)                         \
    {                                                                                                                  \
        alphaz::atomic(address, sizeof *address, alphaz::Scope::scope, ALPHAZ_PC);                                     \
        const T old = *address;                                                                                        \
        if (old == (T)expected) *address = (T)value;                                                                   \
        return old;                                                                                                    \
    }
ALPHAZ_CAS(atomicCAS, DEVICE)
ALPHAZ_CAS(atomicCAS_block, BLOCK)
ALPHAZ_CAS(atomicCAS_system, DEVICE)
#undef ALPHAZ_CAS

inline void __threadfence(ALPHAZ_LINE) { alphaz::fence(alphaz::Scope::DEVICE, line); }
inline void __threadfence_system(ALPHAZ_LINE) { alphaz::fence(alphaz::Scope::DEVICE, line); }
inline void __threadfence_block(ALPHAZ_LINE) { alphaz::fence(alphaz::Scope::BLOCK, line); }

ALPHAZ_UNSEEN inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
    alphaz::copy(to, from, bytes, zeros, ALPHAZ_PC);
}
inline void __pipeline_commit() { alphaz::commit(); }
inline void __pipeline_wait_prior(size_t left, ALPHAZ_LINE) { alphaz::wait(left, line); }

/* Arithmetic that the C library does not have. */
template <class T> T __ldg(const T *address) { return *address; }
template <class T> T __ldcg(const T *address) { return *address; }
template <class T> T __ldcs(const T *address) { return *address; }
template <class T, class U> void __stcs(T *address, U value) { *address = value; }
template <class T, class U> constexpr std::common_type_t<T, U> min(T a, U b) { return b < a ? b : a; }
template <class T, class U> constexpr std::common_type_t<T, U> max(T a, U b) { return a < b ? b : a; }
inline float __fdividef(float a, float b) { return a / b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x)
{
    unsigned found = 0;
    for (int bit = 0; bit < 32; bit++) found |= (x >> bit & 1u) << (31 - bit);
    return found;
}
inline int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
#define ALPHAZ_BITS(name, To, From)                                                                                    \
    inline To name(From value)                                                                                         \
    {                                                                                                                  \
        To result;                                                                                                     \
        __builtin_memcpy(&result, &value, sizeof result);                                                              \
        return result;                                                                                                 \
    }
ALPHAZ_BITS(__float_as_int, int, float)
ALPHAZ_BITS(__float_as_uint, unsigned, float)
ALPHAZ_BITS(__int_as_float, float, int)
ALPHAZ_BITS(__uint_as_float, float, unsigned)
ALPHAZ_BITS(__double_as_longlong, long long, double)
ALPHAZ_BITS(__longlong_as_double, double, long long)
#undef ALPHAZ_BITS
inline void __nanosleep(unsigned) {}
inline size_t __cvta_generic_to_shared(const void *address) { return (size_t)address; }
inline bool __isShared(const void *) { return true; }
inline long long clock64() { return 0; }
