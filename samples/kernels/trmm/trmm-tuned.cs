# Blocks of columns in parallel, tiled; 6 x 8 sums are in registers over the innermost loop, in vectors along rows.
# sizes: M=2,N=1 M=6,N=9 M=35,N=33
prog = ReadAlphabets("trmm.ab");
system = "trmm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_B", "(i,j,k -> j,i,k)");
setSpaceTimeMap(prog, system, "B", "(i,j -> j,i,M)");
setMemoryMap(prog, system, "NR_B", "B", "(i,j -> i,j)");
setParallel(prog, system, "", 0);
setTiling(prog, system, 0, 256);
setTiling(prog, system, 1, 96);
setTiling(prog, system, 2, 256);
setRegisterTile(prog, system, 0, 8);
setRegisterTile(prog, system, 1, 6);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
