# Blocks of rows in parallel, tiled; the sum is accumulated in the cell of its result.
# sizes: M=2,N=1 M=6,N=9 M=35,N=33
prog = ReadAlphabets("trmm.ab");
system = "trmm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_B", "(i,j,k -> i,k,j)");
setSpaceTimeMap(prog, system, "B", "(i,j -> i,M,j)");
setMemoryMap(prog, system, "NR_B", "B", "(i,j -> i,j)");
setParallel(prog, system, "", 0);
setTiling(prog, system, 0, 32);
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 128);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
