# Two boxes in turn. Skewed, so that time can be tiled with space; the tiles of one wavefront in parallel.
# sizes: N=3,T=0 N=6,T=3 N=11,T=5
prog = ReadAlphabets("heat-3d.ab");
system = "heat-3d";

setSpaceTimeMap(prog, system, "X", "(t,i,j,k -> t,t+i,t+j,t+k)");
setSpaceTimeMap(prog, system, "B", "(i,j,k -> T+1,T+1+i,T+1+j,T+1+k)");
setMemoryMap(prog, system, "X", "(t,i,j,k -> t,i,j,k)", "2,0,0,0");
setTiling(prog, system, 0, 4);
setTiling(prog, system, 1, 16);
setTiling(prog, system, 2, 16);
setTiling(prog, system, 3, 256);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
