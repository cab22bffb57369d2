# Found by `alphaz schedule cholesky.ab --target mpi`: rows of ranks, and 8 columns in a step.
# sizes: N=1 N=11
prog = ReadAlphabets("cholesky.ab");
setSpaceTimeMap(prog, "cholesky", "L", "(i,j -> j,i,1,0,0)");
setSpaceTimeMap(prog, "cholesky", "U", "(k,j -> k,j,1,0,1)");
setSpaceTimeMap(prog, "cholesky", "S", "(i,j,k -> j,i,1,k-j,2)", "(i,j -> j,i,0,i,j)");
setOrderingDimensions(prog, "cholesky", "2");
setBandForTiling(prog, "cholesky", "steps", 0, 1, "8,0");
setDistributed(prog, "cholesky", "", 1, "block");
setMemoryMap(prog, "cholesky", "S", "(i,j -> i)");
setGhostMap(prog, "cholesky", "L", "(i,j -> j)");
setTarget(prog, "cholesky", "mpi");
generateScheduledCode(prog, "cholesky");
generateWrapper(prog, "cholesky");
generateMakefile(prog, "cholesky");
