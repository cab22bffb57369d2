# A rank has rows, and exchanges its first and its last one with its neighbours in each step.
# sizes: N=3,T=1 N=9,T=4
prog = ReadAlphabets("jacobi-2d.ab");
setSpaceTimeMap(prog, "jacobi_2d", "X", "(t,i,j -> t,i,j)");
setSpaceTimeMap(prog, "jacobi_2d", "B", "(i,j -> T+1,i,j)");
setDistributed(prog, "jacobi_2d", "", 1, "block");
setMemoryMap(prog, "jacobi_2d", "X", "(t,i,j -> t,i,j)", "2,0,0");
setTarget(prog, "jacobi_2d", "mpi");
generateScheduledCode(prog, "jacobi_2d");
generateWrapper(prog, "jacobi_2d");
generateMakefile(prog, "jacobi_2d");
