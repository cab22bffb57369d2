# A block of 64 threads for each tile of C: tiles of A and B are in shared memory, and a thread has 4 x 4 sums in
# registers. Threads that are next to each other access adjacent elements.
# sizes: NI=1,NJ=1,NK=1 NI=32,NJ=33,NK=8 NI=33,NJ=35,NK=9
prog = ReadAlphabets("gemm.ab");
system = "gemm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> i,j,k)", "(i,j -> i,j,0)");
setSpaceTimeMap(prog, system, "C", "(i,j -> i,j,NK)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setBlockDimensions(prog, system, "", "0,1", "y,x");
setThreadDimensions(prog, system, "", "0,1", "y=8,x=8");
setTiling(prog, system, 0, 32);
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 8);
setRegisterTile(prog, system, 0, 4);
setRegisterTile(prog, system, 1, 4);
setPacking(prog, system, "NR_C", "A, B");
setTarget(prog, system, "cuda", "sm_90");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
