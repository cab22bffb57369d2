# The loops of BLAS: blocks of A' and B' are packed by all threads, then blocks of rows run in parallel, each with its
# blocks of A and B packed; a block of sums is in registers over the innermost loop, also on the diagonal.
# sizes: N=1,M=1 N=6,M=9 N=35,M=33
prog = ReadAlphabets("syr2k.ab");
system = "syr2k";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> j,k,i)");
setSpaceTimeMap(prog, system, "C", "(i,j -> j,M,i)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setParallel(prog, system, "", 2);
setTiling(prog, system, 0, 2016);
setTiling(prog, system, 1, 128);
setTiling(prog, system, 2, 72);
setRegisterTile(prog, system, 0, "auto");
setRegisterTile(prog, system, 2, "auto");
setPacking(prog, system, "NR_C", "A, B");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
