# A launch for each group of 16 steps. A block recomputes the points that it needs of its neighbours, in shared memory.
# sizes: N=3,T=0 N=9,T=4 N=67,T=35 N=700,T=33
prog = ReadAlphabets("../../kernels/jacobi-1d/jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> 0,t,i)");
setSpaceTimeMap(prog, system, "B", "(i -> 1,0,i)");
setOrderingDimensions(prog, system, "0");
setOverlap(prog, system, "0", "X", 0, 16, "256");
setMemoryMap(prog, system, "X", "B", "(t,i -> i)");
setBlockDimensions(prog, system, "0", "1", "x");
setThreadDimensions(prog, system, "0", "3", "x=128");
setTarget(prog, system, "cuda", "sm_90");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
