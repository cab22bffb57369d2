# The table tiled, the tiles of one diagonal in parallel; the maximum is accumulated in the cell of its result. The cuts
# are not tiled: S[k+1,j] must be complete when the cuts before it are tried, and so must S[i,k].
# sizes: N=1 N=8 N=35
prog = ReadAlphabets("nussinov.ab");
system = "nussinov";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_S", "(i,j,k -> -i,j,k)");
setSpaceTimeMap(prog, system, "S", "(i,j -> -i,j,j)");
setSpaceTimeMap(prog, system, "pairs", "( -> 0,N,N)");
setMemoryMap(prog, system, "NR_S", "S", "(i,j -> i,j)");
setTiling(prog, system, 0, 16);
setTiling(prog, system, 1, 16);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
