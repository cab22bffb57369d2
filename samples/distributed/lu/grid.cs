# Blocks of 2 x 2 are dealt out on a grid, so that all ranks have work to the end. Row k is broadcast along the columns
# of the grid, the factors of column k along its rows.
# sizes: N=2 N=7
prog = ReadAlphabets("lu.ab");
setSpaceTimeMap(prog, "lu", "W", "(k,i,j -> 2k,i,j)");
setSpaceTimeMap(prog, "lu", "F", "(k,i -> 2k+1,i,k)");
setSpaceTimeMap(prog, "lu", "U", "(i,j -> 2N,i,j)");
setSpaceTimeMap(prog, "lu", "L", "(i,k -> 2N+1,i,k)");
setDistributed(prog, "lu", "", 1, "block-cyclic", 2);
setDistributed(prog, "lu", "", 2, "block-cyclic", 2);
setMemoryMap(prog, "lu", "W", "(k,i,j -> i,j)");
setMemoryMap(prog, "lu", "F", "(k,i -> i,k)");
setGhostMap(prog, "lu", "W", "(k,i,j -> j)");
setGhostMap(prog, "lu", "F", "(k,i -> i)");
setTarget(prog, "lu", "mpi");
generateScheduledCode(prog, "lu");
generateWrapper(prog, "lu");
generateMakefile(prog, "lu");
