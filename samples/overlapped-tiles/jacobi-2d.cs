# Tiles of 4 steps of 32 x 64 points that recompute what they need of their neighbours.
# sizes: N=3,T=0 N=8,T=4 N=19,T=11 N=70,T=6
prog = ReadAlphabets("../kernels/jacobi-2d/jacobi-2d.ab");
system = "jacobi-2d";

setSpaceTimeMap(prog, system, "X", "(t,i,j -> 0,t,i,j)");
setSpaceTimeMap(prog, system, "B", "(i,j -> 1,0,i,j)");
setOrderingDimensions(prog, system, "0");
setOverlap(prog, system, "0", "X", 0, 4, "32,64");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
