# The loops of BLAS: a block of A' is packed by all threads, then blocks of rows run in parallel, each with its block of A
# packed; a block of sums is in registers over the innermost loop, on the diagonal too, where half of them is thrown away.
# sizes: N=1,M=1 N=6,M=9 N=35,M=33
prog = ReadAlphabets("syrk.ab");
system = "syrk";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> j,k,i)");
setSpaceTimeMap(prog, system, "C", "(i,j -> j,M,i)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setParallel(prog, system, "", 2);
setTiling(prog, system, 0, 2016);
setTiling(prog, system, 1, 512);
setTiling(prog, system, 2, 72);
setRegisterTile(prog, system, 0, "auto");
setRegisterTile(prog, system, 2, "auto");
setPacking(prog, system, "NR_C", "A");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
