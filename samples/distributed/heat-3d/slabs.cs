# A rank has slabs, whose rows its threads share; it exchanges its first and its last slab in each step.
# sizes: N=3,T=1 N=6,T=2
prog = ReadAlphabets("heat-3d.ab");
setSpaceTimeMap(prog, "heat_3d", "X", "(t,i,j,k -> t,i,j,k)");
setSpaceTimeMap(prog, "heat_3d", "B", "(i,j,k -> T+1,i,j,k)");
setDistributed(prog, "heat_3d", "", 1, "block");
setParallel(prog, "heat_3d", "", "2");
setMemoryMap(prog, "heat_3d", "X", "(t,i,j,k -> t,i,j,k)", "2,0,0,0");
setTarget(prog, "heat_3d", "mpi-openmp");
generateScheduledCode(prog, "heat_3d");
generateWrapper(prog, "heat_3d");
generateMakefile(prog, "heat_3d");
