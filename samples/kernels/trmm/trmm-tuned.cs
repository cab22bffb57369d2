# The loops of BLAS: a block of B0 is packed by all threads, then blocks of rows run in parallel, each with its block of A'
# packed; a block of sums is in registers over the innermost loop.
# sizes: M=2,N=1 M=6,N=9 M=35,N=33
prog = ReadAlphabets("trmm.ab");
system = "trmm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_B", "(i,j,k -> j,k,i)");
setSpaceTimeMap(prog, system, "B", "(i,j -> j,M,i)");
setMemoryMap(prog, system, "NR_B", "B", "(i,j -> i,j)");
setParallel(prog, system, "", 2);
setTiling(prog, system, 0, 2016);
setTiling(prog, system, 1, 512);
setTiling(prog, system, 2, 48);
setRegisterTile(prog, system, 0, "auto");
setRegisterTile(prog, system, 2, "auto");
setPacking(prog, system, "NR_B", "A, B0");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
