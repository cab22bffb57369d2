# Blocks of columns in parallel, tiled; 6 x 8 sums, over both triangles, are in registers over the innermost loop.
# sizes: M=1,N=1 M=6,N=9 M=35,N=33
prog = ReadAlphabets("symm.ab");
system = "symm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> j,i,k)");
setSpaceTimeMap(prog, system, "C", "(i,j -> j,i,M)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setParallel(prog, system, "", 0);
setTiling(prog, system, 0, 256);
setTiling(prog, system, 1, 96);
setTiling(prog, system, 2, 256);
setRegisterTile(prog, system, 0, 8);
setRegisterTile(prog, system, 1, 6);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
