# Packed: L, U and all their sums live in the cells of LU. Tiled in three dimensions, the tiles of one wavefront in
# parallel; in whole tiles a block of sums is in registers over the innermost loop, in vectors along rows. Columns are
# outermost: two vectors of U stay in the first cache for all rows of a tile.
# sizes: N=1 N=7 N=157
prog = ReadAlphabets("lu.ab");
system = "lu";

setSpaceTimeMap(prog, system, "S", "(i,j,k -> j,i,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> j,i,j)");
setSpaceTimeMap(prog, system, "U", "(i,j -> j,i,i)");
setSpaceTimeMap(prog, system, "LU", "(i,j -> j+N,i+N,N)");
setMemoryMap(prog, system, "S, L, U", "LU", "(i,j -> i,j)");
setTiling(prog, system, 0, 144);
setTiling(prog, system, 1, 144);
setTiling(prog, system, 2, 144);
setRegisterTile(prog, system, 0, "auto");
setRegisterTile(prog, system, 1, "auto");
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
