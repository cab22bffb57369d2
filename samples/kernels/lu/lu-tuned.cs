# Found by `alphaz schedule lu.ab`, and proved.
# L, U and all their sums live in the cells of LU. Tiles of 6 x 2 vectors are in registers: taller ones lose
# more at the diagonal, which has short rows, than they gain.
# sizes: N=1 N=7 N=157
prog = ReadAlphabets("lu.ab");

system = "lu";
# loops: sequential, sequential, reduction
setSpaceTimeMap(prog, system, "S", "(i,j,k -> 0,j,i,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> 0,j,i,j)");
setSpaceTimeMap(prog, system, "U", "(i,j -> 0,j,i,i)");
# loops: parallel, parallel
setSpaceTimeMap(prog, system, "LU", "(i,j -> 1,i,j,0)");
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
setMemoryMap(prog, system, "L", "LU", "(i,j -> i,j)");
setMemoryMap(prog, system, "U", "LU", "(i,j -> i,j)");
setMemoryMap(prog, system, "S", "LU", "(i,j -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
