# A launch for each group of 4 steps. A block recomputes the points that it needs of its neighbours, in shared memory.
# sizes: N=3,T=0 N=8,T=4 N=19,T=11 N=40,T=6
prog = ReadAlphabets("../../kernels/jacobi-2d/jacobi-2d.ab");
system = "jacobi-2d";

setSpaceTimeMap(prog, system, "X", "(t,i,j -> 0,t,i,j)");
setSpaceTimeMap(prog, system, "B", "(i,j -> 1,0,i,j)");
setOrderingDimensions(prog, system, "0");
setOverlap(prog, system, "0", "X", 0, 4, "32,32");
setMemoryMap(prog, system, "X", "B", "(t,i,j -> i,j)");
setBlockDimensions(prog, system, "0", "1,2", "y,x");
setThreadDimensions(prog, system, "0", "4,5", "y=8,x=32");
setTarget(prog, system, "cuda", "sm_90");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
