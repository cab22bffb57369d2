# L with its transpose, so that both are read along rows; all sums are accumulated in the cells of L. Tiled in three
# dimensions, the tiles of one wavefront in parallel; in whole tiles 6 x 8 sums are in registers over the innermost loop,
# in vectors along rows.
# sizes: N=1 N=7 N=205
prog = ReadAlphabets("cholesky.ab");
system = "cholesky";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_L, NR_L_1", "(i,j,k -> i,j,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> i,j,j)");
setSpaceTimeMap(prog, system, "U", "(k,j -> j,k,k)");
setStatementOrdering(prog, system, "L", "U");
setMemoryMap(prog, system, "NR_L, NR_L_1", "L", "(i,j -> i,j)");
setTiling(prog, system, 0, 192);
setTiling(prog, system, 1, 96);
setTiling(prog, system, 2, 96);
setRegisterTile(prog, system, 0, 6);
setRegisterTile(prog, system, 1, 8);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
