# Both factors and all their sums packed into one array, y and x into one vector with theirs. The factorisation is tiled
# in three dimensions, columns outermost; in whole tiles a block of sums is in registers over the innermost loop, in vectors
# along rows. The two substitutions are tiled too, and their sums done in vectors. The tiles of one wavefront are in
# parallel.
# sizes: N=1 N=7 N=157
prog = ReadAlphabets("ludcmp.ab");
system = "ludcmp";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "S", "(i,j,k -> 0,j,i,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> 0,j,i,j)");
setSpaceTimeMap(prog, system, "U", "(i,j -> 0,j,i,i)");
setSpaceTimeMap(prog, system, "NR_y", "(i,j -> 1,i,0,j)");
setSpaceTimeMap(prog, system, "y", "(i -> 1,i,1,i)");
setSpaceTimeMap(prog, system, "NR_x", "(i,j -> 2,-i,0,-j)");
setSpaceTimeMap(prog, system, "x", "(i -> 2,-i,1,-i)");
setMemoryMap(prog, system, "S, L, U", "LU", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_y, y", "x", "(i -> i)");
setOrderingDimensions(prog, system, 0);
setDimensionType(prog, system, "NR_y, y, NR_x, x", 2, "O");
setVectorDimension(prog, system, "1", 2);
setVectorDimension(prog, system, "2", 2);
setTiling(prog, system, 0, 1);
setTiling(prog, system, 1, 144);
setTiling(prog, system, 2, 144);
setTiling(prog, system, 3, 144);
setRegisterTile(prog, system, "0", 0, "auto");
setRegisterTile(prog, system, "0", 1, "auto");
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
