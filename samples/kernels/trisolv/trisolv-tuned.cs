# Tiled, the tiles of one wavefront in parallel; the sums of 8 rows are in the lanes of vectors along j, so that memory
# streams 8 rows at once, and end in the cells of their results.
# sizes: N=1 N=7 N=155
prog = ReadAlphabets("trisolv.ab");
system = "trisolv";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_x", "(i,j -> i,0,j)");
setSpaceTimeMap(prog, system, "x", "(i -> i,1,i)");
setMemoryMap(prog, system, "NR_x", "x", "(i -> i)");
setOrderingDimensions(prog, system, 1);
setTiling(prog, system, 0, 128);
setTiling(prog, system, 1, 1);
setTiling(prog, system, 2, 2048);
setRegisterTile(prog, system, 0, 8);
setVectorDimension(prog, system, "", 2);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
