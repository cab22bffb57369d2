# One array: the rows of a step are stored one row higher than those of the step before, each over the row that only it
# still needs. Time and rows are tiled, skewed; a row is whole, so that it is one long loop in vectors. The tiles of one
# wavefront in parallel.
# sizes: N=3,T=0 N=8,T=4 N=19,T=11 N=60,T=40
prog = ReadAlphabets("jacobi-2d.ab");
system = "jacobi-2d";

setSpaceTimeMap(prog, system, "X", "(t,i,j -> t,t+i,j)");
setSpaceTimeMap(prog, system, "B", "(i,j -> T+1,T+1+i,j)");
setMemoryMap(prog, system, "X", "(t,i,j -> i-t,j)");
setTiling(prog, system, 0, 16);
setTiling(prog, system, 1, 16);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
