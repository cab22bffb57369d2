# L with its transpose, so that both are read along rows; all sums are accumulated in the cells of L. Tiled in three
# dimensions, the tiles of one wavefront in parallel; in whole tiles a block of sums is in registers over the innermost loop,
# in vectors along rows. Columns are outermost: two vectors of U stay in the first cache for all rows of a tile.
# sizes: N=1 N=7 N=205
prog = ReadAlphabets("cholesky.ab");
system = "cholesky";

setSpaceTimeMap(prog, system, "S", "(i,j,k -> j,i,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> j,i,j)");
setSpaceTimeMap(prog, system, "U", "(k,j -> k,j,k)");
setStatementOrdering(prog, system, "L", "U");
setMemoryMap(prog, system, "S", "L", "(i,j -> i,j)");
setTiling(prog, system, 0, 144);
setTiling(prog, system, 1, 144);
setTiling(prog, system, 2, 144);
setRegisterTile(prog, system, 0, "auto");
setRegisterTile(prog, system, 1, "auto");
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
