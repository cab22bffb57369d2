# Tiled in all three dimensions, the tiles of one wavefront in parallel. All sums are accumulated in the cells of L.
# sizes: N=1 N=7 N=35
prog = ReadAlphabets("cholesky.ab");
system = "cholesky";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_L", "(i,j,k -> i,j,k)");
setSpaceTimeMap(prog, system, "NR_L_1", "(i,j,k -> i,j,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> i,j,j)");
setMemoryMap(prog, system, "NR_L", "L", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_L_1", "L", "(i,j -> i,j)");
setTiling(prog, system, 0, 16);
setTiling(prog, system, 1, 16);
setTiling(prog, system, 2, 16);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
