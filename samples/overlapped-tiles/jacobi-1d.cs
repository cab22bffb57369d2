# Tiles of 16 steps and 1024 points that recompute what they need of their neighbours, all tiles of a group of steps in
# parallel. The values of a tile are in private memory.
# sizes: N=3,T=0 N=9,T=4 N=67,T=35 N=2200,T=70
prog = ReadAlphabets("../kernels/jacobi-1d/jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> 0,t,i)");
setSpaceTimeMap(prog, system, "B", "(i -> 1,0,i)");
setOrderingDimensions(prog, system, "0");
setOverlap(prog, system, "0", "X", 0, 16, "1024");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
