# Blocks of rows in parallel, tiled, rows of B in the innermost loop; the sum is accumulated in the cell of its result.
# sizes: NI=1,NJ=1,NK=1 NI=7,NJ=5,NK=9 NI=33,NJ=35,NK=34
prog = ReadAlphabets("gemm.ab");
system = "gemm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> i,k,j)");
setSpaceTimeMap(prog, system, "C", "(i,j -> i,NK,j)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setParallel(prog, system, "", 0);
setTiling(prog, system, 0, 32);
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 128);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
