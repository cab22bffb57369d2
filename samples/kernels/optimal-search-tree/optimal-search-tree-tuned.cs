# The table tiled, the tiles of one diagonal in parallel; the minimum is accumulated in the cell of its result. The
# roots are not tiled: C[r+1,j] must be complete when the roots before it are tried, and so must C[i,r-1].
# sizes: N=1 N=8 N=35
prog = ReadAlphabets("optimal-search-tree.ab");
system = "optimal_search_tree";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "W", "(i,j -> -i,j,-1)");
setSpaceTimeMap(prog, system, "NR_C", "(i,j,r -> -i,j,r)");
setSpaceTimeMap(prog, system, "C", "(i,j -> -i,j,N+1)");
setSpaceTimeMap(prog, system, "cost", "( -> 0,N,0)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setMemoryMap(prog, system, "W", "(i,j -> i)");
setTiling(prog, system, 0, 16);
setTiling(prog, system, 1, 16);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
