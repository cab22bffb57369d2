# The table tiled, the tiles of one diagonal in parallel; the minimum is accumulated in the cell of its result. The cuts
# are not tiled: M[k+1,j] must be complete when the cuts before it are tried, and so must M[i,k].
# sizes: N=1 N=8 N=35
prog = ReadAlphabets("matrix-chain.ab");
system = "matrix_chain";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_M", "(i,j,k -> -i,j,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> -i,j,j)");
setSpaceTimeMap(prog, system, "best", "( -> 0,N,0)");
setMemoryMap(prog, system, "NR_M", "M", "(i,j -> i,j)");
setTiling(prog, system, 0, 16);
setTiling(prog, system, 1, 16);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
