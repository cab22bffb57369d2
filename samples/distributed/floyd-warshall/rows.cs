# Rows are dealt out in blocks of two. Row k is broadcast in step k, into one line of ghosts.
# sizes: N=2 N=6
prog = ReadAlphabets("floyd-warshall.ab");
setSpaceTimeMap(prog, "floyd_warshall", "F", "(k,i,j -> k,i,j)");
setSpaceTimeMap(prog, "floyd_warshall", "B", "(i,j -> N+1,i,j)");
setMemoryMap(prog, "floyd_warshall", "F", "(k,i,j -> k,i,j)", "2,0,0");
setDistributed(prog, "floyd_warshall", "", 1, "block-cyclic", 2);
setGhostMap(prog, "floyd_warshall", "F", "(k,i,j -> j)");
setTarget(prog, "floyd_warshall", "mpi");
generateScheduledCode(prog, "floyd_warshall");
generateWrapper(prog, "floyd_warshall");
generateMakefile(prog, "floyd_warshall");
