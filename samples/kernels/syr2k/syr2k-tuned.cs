# Blocks of rows in parallel, tiled; all operands are read along their rows. The sum is accumulated in its result.
# sizes: N=1,M=1 N=6,M=9 N=35,M=33
prog = ReadAlphabets("syr2k.ab");
system = "syr2k";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> i,j,k)");
setSpaceTimeMap(prog, system, "C", "(i,j -> i,j,M)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setParallel(prog, system, "", 0);
setTiling(prog, system, 0, 32);
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 128);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
