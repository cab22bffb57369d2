# Tiled, the tiles of one wavefront in parallel; the sum is accumulated in the cell of its result.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("trisolv.ab");
system = "trisolv";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_x", "(i,j -> i,j)");
setSpaceTimeMap(prog, system, "x", "(i -> i,i)");
setMemoryMap(prog, system, "NR_x", "x", "(i -> i)");
setTiling(prog, system, 0, 32);
setTiling(prog, system, 1, 32);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
