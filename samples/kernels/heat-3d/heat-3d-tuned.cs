# One box: what a step computes is stored one row and one plane back from where the step before did, over a row that is
# not needed any more. Time, planes and rows are tiled, skewed; the points of a row are one loop in vectors. The tiles of
# one wavefront in parallel.
# sizes: N=3,T=0 N=6,T=3 N=11,T=5 N=60,T=18
prog = ReadAlphabets("heat-3d.ab");
system = "heat-3d";

setSpaceTimeMap(prog, system, "X", "(t,i,j,k -> t,t+i,t+j,k)");
setSpaceTimeMap(prog, system, "B", "(i,j,k -> T+1,T+1+i,T+1+j,k)");
setMemoryMap(prog, system, "X", "(t,i,j,k -> i-t,j-t,k)");
setTiling(prog, system, 0, 8);
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 32);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
