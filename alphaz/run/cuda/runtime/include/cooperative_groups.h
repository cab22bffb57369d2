/* Cooperative groups: blocks, and tiles of a warp. Groups of the whole grid are not executed. */
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups
{

#define ALPHAZ_RANK (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))

struct thread_block {
    ALPHAZ_UNSEEN void sync(ALPHAZ_LINE) const { alphaz::barrier(alphaz::Vote::NONE, 0, line, ALPHAZ_PC); }
    static unsigned thread_rank() { return ALPHAZ_RANK; }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

struct grid_group {
    void sync() const { alphaz::unsupported("grid.sync()"); }
    static unsigned long long size()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size();
    }
    static unsigned long long thread_rank()
    {
        const unsigned long long block =
            blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
        return block * thread_block::size() + ALPHAZ_RANK;
    }
};
inline grid_group this_grid() { return {}; }

#define ALPHAZ_MEMBER(Result, name, parameters, call)                                                                  \
    template <class T> ALPHAZ_UNSEEN Result name parameters const { return call; }

template <unsigned N, class Parent = void> struct thread_block_tile {
    static_assert(N <= 32 && (N & (N - 1)) == 0, "tiles have 1, 2, 4, .. or 32 threads");
    static unsigned first() { return (unsigned)alphaz::first_lane((int)N); }
    static unsigned mask() { return (N == 32 ? ~0u : (1u << N % 32) - 1) << first(); }
    static unsigned thread_rank() { return ALPHAZ_RANK % N; }
    static constexpr unsigned size() { return N; }
    static constexpr unsigned num_threads() { return N; }
    static unsigned meta_group_rank() { return ALPHAZ_RANK / N; }
    static unsigned meta_group_size() { return (thread_block::size() + N - 1) / N; }
    ALPHAZ_UNSEEN void sync(ALPHAZ_LINE) const { alphaz::warp_barrier(mask(), line, ALPHAZ_PC); }
    ALPHAZ_MEMBER(T, shfl, (T value, int source),
                  alphaz::shuffled(mask(), value, (int)first() + source % (int)N, ALPHAZ_PC))
    ALPHAZ_MEMBER(T, shfl_xor, (T value, int bits), alphaz::shuffled(mask(), value, alphaz::lane() ^ bits, ALPHAZ_PC))
    ALPHAZ_MEMBER(T, shfl_down, (T value, unsigned delta),
                  alphaz::shuffled(mask(), value,
                                   alphaz::own_if(thread_rank() + delta < N, alphaz::lane() + (int)delta), ALPHAZ_PC))
    ALPHAZ_MEMBER(T, shfl_up, (T value, unsigned delta),
                  alphaz::shuffled(mask(), value, alphaz::own_if(thread_rank() >= delta, alphaz::lane() - (int)delta),
                                   ALPHAZ_PC))
    ALPHAZ_UNSEEN unsigned ballot(int p) const
    {
        return alphaz::vote(alphaz::Vote::BALLOT, mask(), &p, sizeof p, ALPHAZ_PC) >> first();
    }
    ALPHAZ_UNSEEN int any(int p) const { return (int)alphaz::vote(alphaz::Vote::ANY, mask(), &p, sizeof p, ALPHAZ_PC); }
    ALPHAZ_UNSEEN int all(int p) const { return (int)alphaz::vote(alphaz::Vote::ALL, mask(), &p, sizeof p, ALPHAZ_PC); }
};
#undef ALPHAZ_MEMBER

template <unsigned N, class Group> thread_block_tile<N, Group> tiled_partition(const Group &) { return {}; }
ALPHAZ_UNSEEN inline void sync(const thread_block &, ALPHAZ_LINE)
{
    alphaz::barrier(alphaz::Vote::NONE, 0, line, ALPHAZ_PC);
}
template <unsigned N, class P> ALPHAZ_UNSEEN void sync(const thread_block_tile<N, P> &tile, ALPHAZ_LINE)
{
    alphaz::warp_barrier(tile.mask(), line, ALPHAZ_PC);
}

template <class T> struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <unsigned N, class P, class T, class Operator>
ALPHAZ_UNSEEN T reduce(const thread_block_tile<N, P> &tile, T value, Operator combine)
{
    for (unsigned bits = N / 2; bits > 0; bits /= 2)
        value = combine(value, alphaz::shuffled(tile.mask(), value, alphaz::lane() ^ (int)bits, ALPHAZ_PC));
    return value;
}
#undef ALPHAZ_RANK

} // namespace cooperative_groups
