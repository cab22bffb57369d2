# A grid of ranks: parts of row k and of column k go to the ranks that read them.
# sizes: N=2 N=6
prog = ReadAlphabets("floyd-warshall.ab");
setSpaceTimeMap(prog, "floyd_warshall", "F", "(k,i,j -> k,i,j)");
setSpaceTimeMap(prog, "floyd_warshall", "B", "(i,j -> N+1,i,j)");
setMemoryMap(prog, "floyd_warshall", "F", "(k,i,j -> k,i,j)", "2,0,0");
setDistributed(prog, "floyd_warshall", "", 1, "block");
setDistributed(prog, "floyd_warshall", "", 2, "block");
setTarget(prog, "floyd_warshall", "mpi");
generateScheduledCode(prog, "floyd_warshall");
generateWrapper(prog, "floyd_warshall");
generateMakefile(prog, "floyd_warshall");
