# Tiles in time: rows move by one in each iteration, so that a rank needs values of lower ranks alone; one message for 4
# iterations. The cells of a row do not move.
# sizes: N=3,T=1 N=12,T=9
prog = ReadAlphabets("jacobi-2d.ab");
setSpaceTimeMap(prog, "jacobi_2d", "X", "(t,i,j -> t,i+t,j+t)");
setSpaceTimeMap(prog, "jacobi_2d", "B", "(i,j -> T+1,i+T,j+T)");
setBandForTiling(prog, "jacobi_2d", "tiles", 0, 2, "4,8,8");
setDistributed(prog, "jacobi_2d", "", 1, "block");
setMemoryMap(prog, "jacobi_2d", "X", "(t,i,j -> t,i,j)", "2,0,0");
setTarget(prog, "jacobi_2d", "mpi");
generateScheduledCode(prog, "jacobi_2d");
generateWrapper(prog, "jacobi_2d");
generateMakefile(prog, "jacobi_2d");
