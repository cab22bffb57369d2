# Blocks of columns in parallel, tiled; 6 x 8 sums are in registers over the innermost loop, in vectors along rows of B.
# sizes: NI=1,NJ=1,NK=1 NI=7,NJ=5,NK=9 NI=33,NJ=35,NK=34
prog = ReadAlphabets("gemm.ab");
system = "gemm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> j,i,k)");
setSpaceTimeMap(prog, system, "C", "(i,j -> j,i,NK)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setParallel(prog, system, "", 0);
setTiling(prog, system, 0, 256);
setTiling(prog, system, 1, 96);
setTiling(prog, system, 2, 256);
setRegisterTile(prog, system, 0, 8);
setRegisterTile(prog, system, 1, 6);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
