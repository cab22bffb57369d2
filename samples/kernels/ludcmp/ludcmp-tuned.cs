# Found by `alphaz schedule ludcmp.ab`, and proved.
# Both factors and all their sums are in one array, y and x in vectors with theirs. It is faster than what was written by
# hand, with tiles and vectors for the two substitutions.
# sizes: N=1 N=7 N=157
prog = ReadAlphabets("ludcmp.ab");
NormalizeReduction(prog);

system = "ludcmp";
# loops: sequential, sequential, reduction
setSpaceTimeMap(prog, system, "S", "(i,j,k -> 0,j,i,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> 0,j,i,j)");
setSpaceTimeMap(prog, system, "U", "(i,j -> 0,j,i,i)");
# loops: sequential, reduction
setSpaceTimeMap(prog, system, "y", "(i -> 1,i,i,0)");
setSpaceTimeMap(prog, system, "NR_y", "(i,j -> 1,i,j,0)");
setSpaceTimeMap(prog, system, "x", "(i -> 2,-i,-i,0)");
setSpaceTimeMap(prog, system, "NR_x", "(i,j -> 2,-i,-j,0)");
setOrderingDimensions(prog, system, "0");
# Tiles in three dimensions, the tiles of one wavefront in parallel.
setTiling(prog, system, 1, 144);
setTiling(prog, system, 2, 144);
setTiling(prog, system, 3, 144);
setTilingType(prog, system, "omp");
# 6 x 8 sums in registers.
setRegisterTile(prog, system, "0", 0, "auto");
setRegisterTile(prog, system, "0", 1, 6);
setPacking(prog, system, "S", "L, U", "final");
setMemoryMap(prog, system, "U", "S", "(i,j -> i,j)");
setMemoryMap(prog, system, "L", "S", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_y", "y", "(i -> i)");
setMemoryMap(prog, system, "NR_x", "x", "(i -> i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
