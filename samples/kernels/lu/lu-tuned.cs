# Packed: L, U and all their sums live in the cells of LU. Tiled in three dimensions, the tiles of one wavefront in
# parallel; in whole tiles 6 x 8 sums are in registers over the innermost loop, in vectors along rows.
# sizes: N=1 N=7 N=157
prog = ReadAlphabets("lu.ab");
system = "lu";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_L", "(i,j,k -> i,j,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> i,j,j)");
setSpaceTimeMap(prog, system, "NR_U", "(i,j,k -> i,j,k)");
setSpaceTimeMap(prog, system, "U", "(i,j -> i,j,i)");
setSpaceTimeMap(prog, system, "LU", "(i,j -> i+N,j+N,N)");
setMemoryMap(prog, system, "NR_L", "LU", "(i,j -> i,j)");
setMemoryMap(prog, system, "L", "LU", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_U", "LU", "(i,j -> i,j)");
setMemoryMap(prog, system, "U", "LU", "(i,j -> i,j)");
setTiling(prog, system, 0, 144);
setTiling(prog, system, 1, 144);
setTiling(prog, system, 2, 144);
setRegisterTile(prog, system, 0, 6);
setRegisterTile(prog, system, 1, 8);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
