# Two lines in turn. Skewed, so that time can be tiled with space; the tiles of one wavefront in parallel.
# sizes: N=3,T=0 N=9,T=4 N=67,T=35 N=2200,T=70
prog = ReadAlphabets("jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> t,t+i)");
setSpaceTimeMap(prog, system, "B", "(i -> T+1,T+1+i)");
setMemoryMap(prog, system, "X", "(t,i -> t,i)", "2,0");
setTiling(prog, system, 0, 32);
setTiling(prog, system, 1, 1024);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
