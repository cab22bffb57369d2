# Tiles in time: values move by one in each iteration, so that a rank needs those of lower ranks alone, and gets one
# message for 4 iterations. Ranks work on different tiles of time: a pipeline.
# sizes: N=3,T=1 N=12,T=9
prog = ReadAlphabets("jacobi-1d.ab");
setSpaceTimeMap(prog, "jacobi_1d", "X", "(t,i -> t,i+t)");
setSpaceTimeMap(prog, "jacobi_1d", "B", "(i -> T+1,i+T)");
setBandForTiling(prog, "jacobi_1d", "tiles", 0, 1, "4,8");
setDistributed(prog, "jacobi_1d", "", 1, "block");
setMemoryMap(prog, "jacobi_1d", "X", "(t,i -> t,i)", "2,0");
setTarget(prog, "jacobi_1d", "mpi");
generateScheduledCode(prog, "jacobi_1d");
generateWrapper(prog, "jacobi_1d");
generateMakefile(prog, "jacobi_1d");
