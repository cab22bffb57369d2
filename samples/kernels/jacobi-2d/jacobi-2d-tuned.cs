# Two squares in turn. Skewed, so that time can be tiled with space; the tiles of one wavefront in parallel.
# sizes: N=3,T=0 N=8,T=4 N=19,T=11
prog = ReadAlphabets("jacobi-2d.ab");
system = "jacobi-2d";

setSpaceTimeMap(prog, system, "X", "(t,i,j -> t,t+i,t+j)");
setSpaceTimeMap(prog, system, "B", "(i,j -> T+1,T+1+i,T+1+j)");
setMemoryMap(prog, system, "X", "(t,i,j -> t,i,j)", "2,0,0");
setTiling(prog, system, 0, 8);
setTiling(prog, system, 1, 16);
setTiling(prog, system, 2, 32);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
