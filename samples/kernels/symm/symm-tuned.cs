# Blocks of rows in parallel, tiled; the sum over both triangles is accumulated in the cell of its result.
# sizes: M=1,N=1 M=6,N=9 M=35,N=33
prog = ReadAlphabets("symm.ab");
system = "symm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> i,k,j)");
setSpaceTimeMap(prog, system, "C", "(i,j -> i,M,j)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setParallel(prog, system, "", 0);
setTiling(prog, system, 0, 32);
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 128);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
