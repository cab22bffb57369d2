/* The functions that compilers call before each access (-fsanitize=thread), at bad indices (-fsanitize=bounds) and at
 * misaligned accesses (-fsanitize=alignment), instead of those of the sanitizers. */
#pragma once
#include "transfers.h"

#define PC __builtin_return_address(0)

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}

#define HOOK(bytes)                                                                                                    \
    void __tsan_read##bytes(void *p) { touch(p, bytes, Kind::READ, PC); }                                              \
    void __tsan_write##bytes(void *p) { touch(p, bytes, Kind::WRITE, PC); }                                            \
    void __tsan_unaligned_read##bytes(void *p) { touch(p, bytes, Kind::READ, PC); }                                    \
    void __tsan_unaligned_write##bytes(void *p) { touch(p, bytes, Kind::WRITE, PC); }                                  \
    void __tsan_volatile_read##bytes(void *p) { touch(p, bytes, Kind::READ, PC); }                                     \
    void __tsan_volatile_write##bytes(void *p) { touch(p, bytes, Kind::WRITE, PC); }
HOOK(1)
HOOK(2)
HOOK(4)
HOOK(8)
HOOK(16)
#undef HOOK
void __tsan_read_range(void *p, size_t bytes) { touch(p, bytes, Kind::READ, PC); }
void __tsan_write_range(void *p, size_t bytes) { touch(p, bytes, Kind::WRITE, PC); }

/* Atomic operations of host code: libraries count references by them. */
#define ATOMIC(bits, Type)                                                                                             \
    Type __tsan_atomic##bits##_load(const volatile Type *p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }      \
    void __tsan_atomic##bits##_store(volatile Type *p, Type v, int) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }      \
    Type __tsan_atomic##bits##_exchange(volatile Type *p, Type v, int)                                                 \
    {                                                                                                                  \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    Type __tsan_atomic##bits##_fetch_add(volatile Type *p, Type v, int)                                                \
    {                                                                                                                  \
        return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                                             \
    }                                                                                                                  \
    Type __tsan_atomic##bits##_fetch_sub(volatile Type *p, Type v, int)                                                \
    {                                                                                                                  \
        return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);                                                             \
    }                                                                                                                  \
    Type __tsan_atomic##bits##_fetch_and(volatile Type *p, Type v, int)                                                \
    {                                                                                                                  \
        return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);                                                             \
    }                                                                                                                  \
    Type __tsan_atomic##bits##_fetch_or(volatile Type *p, Type v, int)                                                 \
    {                                                                                                                  \
        return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);                                                              \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile Type *p, Type *e, Type v, int, int)                     \
    {                                                                                                                  \
        return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                        \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile Type *p, Type *e, Type v, int, int)                       \
    {                                                                                                                  \
        return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                        \
    }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
#undef ATOMIC

/* The text calls these instead of those of the library, whose accesses compilers do not report. */
void *alphaz_memcpy(void *to, const void *from, size_t bytes)
{
    touch(from, bytes, Kind::READ, PC);
    touch(to, bytes, Kind::WRITE, PC);
    return memcpy(to, from, bytes);
}
void *alphaz_memmove(void *to, const void *from, size_t bytes)
{
    touch(from, bytes, Kind::READ, PC);
    touch(to, bytes, Kind::WRITE, PC);
    return memmove(to, from, bytes);
}
void *alphaz_memset(void *to, int value, size_t bytes)
{
    touch(to, bytes, Kind::WRITE, PC);
    return memset(to, value, bytes);
}

/* The data of the undefined-behaviour sanitizer: a place of the text, and more. */
struct SanitizedType {
    uint16_t kind, info;
    char name[1];
};
struct BadIndex {
    const char *file;
    uint32_t line, column;
    const SanitizedType *array, *index;
};
void __ubsan_handle_out_of_bounds(BadIndex *data, void *index)
{
    Inside inside;
    if (now && is_new("index", PC))
        report("index", {present("index", PC)},
               Json().raw("index", std::to_string((long long)index)).add("type", data->array->name));
}
struct BadAddress {
    const char *file;
    uint32_t line, column;
    const SanitizedType *type;
    unsigned char log_alignment, access;
};
void __ubsan_handle_type_mismatch_v1(BadAddress *data, void *address)
{
    if (now && address) report_misaligned("access", PC, size_t(1) << data->log_alignment);
}
}
