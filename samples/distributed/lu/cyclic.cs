# Rows are dealt out, so that all ranks have work to the end. The pivot row is broadcast to ranks with later rows.
# sizes: N=2 N=7
prog = ReadAlphabets("lu.ab");
setSpaceTimeMap(prog, "lu", "W", "(k,i,j -> 2k,i,j)");
setSpaceTimeMap(prog, "lu", "F", "(k,i -> 2k+1,i,0)");
setSpaceTimeMap(prog, "lu", "U", "(i,j -> 2N,i,j)");
setSpaceTimeMap(prog, "lu", "L", "(i,k -> 2N+1,i,k)");
setDistributed(prog, "lu", "", 1, "cyclic");
setMemoryMap(prog, "lu", "W", "(k,i,j -> i,j)");
setGhostMap(prog, "lu", "W", "(k,i,j -> j)");
setTarget(prog, "lu", "mpi");
generateScheduledCode(prog, "lu");
generateWrapper(prog, "lu");
generateMakefile(prog, "lu");
