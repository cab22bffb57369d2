# In place. Skewed, so that all three dimensions can be tiled; the tiles of one wavefront in parallel.
# sizes: N=3,T=0 N=8,T=4 N=19,T=11 N=190,T=17
prog = ReadAlphabets("seidel-2d.ab");
system = "seidel-2d";

setSpaceTimeMap(prog, system, "X", "(t,i,j -> t,t+i,2t+i+j)");
setMemoryMap(prog, system, "X", "B", "(t,i,j -> i,j)");
setTiling(prog, system, 0, 8);
setTiling(prog, system, 1, 16);
setTiling(prog, system, 2, 128);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
