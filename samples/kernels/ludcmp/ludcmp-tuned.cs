# Both factors and all their sums packed into one array, y and x into one vector with theirs. The factorisation is
# tiled, and so are the two substitutions; the tiles of one wavefront are in parallel.
# sizes: N=1 N=7 N=35
prog = ReadAlphabets("ludcmp.ab");
system = "ludcmp";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_L, NR_U", "(i,j,k -> 0,i,j,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> 0,i,j,j)");
setSpaceTimeMap(prog, system, "U", "(i,j -> 0,i,j,i)");
setSpaceTimeMap(prog, system, "NR_y", "(i,j -> 1,i,j,0)");
setSpaceTimeMap(prog, system, "y", "(i -> 1,i,i,0)");
setSpaceTimeMap(prog, system, "NR_x", "(i,j -> 2,-i,-j,0)");
setSpaceTimeMap(prog, system, "x", "(i -> 2,-i,-i,0)");
setMemoryMap(prog, system, "NR_L, L, NR_U, U", "LU", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_y, y", "x", "(i -> i)");
setOrderingDimensions(prog, system, 0);
setTiling(prog, system, 1, 16);
setTiling(prog, system, 2, 16);
setTiling(prog, system, 3, 16);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
