# Found by `alphaz schedule ludcmp.ab`, and proved.
# Both factors and all their sums are in one array, y and x in vectors with theirs.
# sizes: N=1 N=7 N=157
prog = ReadAlphabets("ludcmp.ab");
NormalizeReduction(prog);

system = "ludcmp";
# loops: sequential, sequential, reduction
setSpaceTimeMap(prog, system, "S", "(i,j,k -> 0,j,i,k,0,0,0)");
setSpaceTimeMap(prog, system, "L", "(i,j -> 0,j,i,j,0,0,0)");
setSpaceTimeMap(prog, system, "U", "(i,j -> 0,j,i,i,0,0,0)");
# loops: sequential, sequential
setSpaceTimeMap(prog, system, "y", "(i -> 1,0,0,0,i,1,i)");
setSpaceTimeMap(prog, system, "NR_y", "(i,j -> 1,0,0,0,i,0,j)");
setSpaceTimeMap(prog, system, "x", "(i -> 2,0,0,0,-i,1,-i)");
setSpaceTimeMap(prog, system, "NR_x", "(i,j -> 2,0,0,0,-i,0,-j)");
setOrderingDimensions(prog, system, "0,5");
# Tiles in three dimensions, the tiles of one wavefront in parallel.
setTiling(prog, system, 1, 144);
setTiling(prog, system, 2, 144);
setTiling(prog, system, 3, 144);
setTilingType(prog, system, "omp");
# 6 x 8 sums in registers.
setRegisterTile(prog, system, "0", 0, "auto");
setRegisterTile(prog, system, "0", 1, 6);
setPacking(prog, system, "S", "L, U", "final");
# The two substitutions: 8 rows at once, their sums in lanes.
setRegisterTile(prog, system, "1", 3, 8);
setVectorDimension(prog, system, "1", 5);
setRegisterTile(prog, system, "2", 3, 8);
setVectorDimension(prog, system, "2", 5);
setMemoryMap(prog, system, "U", "S", "(i,j -> i,j)");
setMemoryMap(prog, system, "L", "S", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_y", "y", "(i -> i)");
setMemoryMap(prog, system, "NR_x", "x", "(i -> i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
