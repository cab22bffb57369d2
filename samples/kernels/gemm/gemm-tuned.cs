# The loops of BLAS: a block of B is packed by all threads, then blocks of rows run in parallel, each with its block of A
# packed; a block of sums is in registers over the innermost loop.
# sizes: NI=1,NJ=1,NK=1 NI=7,NJ=5,NK=9 NI=33,NJ=35,NK=34
prog = ReadAlphabets("gemm.ab");
system = "gemm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> j,k,i)");
setSpaceTimeMap(prog, system, "C", "(i,j -> j,NK,i)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setParallel(prog, system, "", 2);
setTiling(prog, system, 0, 2016);
setTiling(prog, system, 1, 512);
setTiling(prog, system, 2, 72);
setRegisterTile(prog, system, 0, "auto");
setRegisterTile(prog, system, 2, "auto");
setPacking(prog, system, "NR_C", "A, B");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
