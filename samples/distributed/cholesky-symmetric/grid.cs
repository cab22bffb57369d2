# Blocks of 2 x 2 are dealt out on a grid. D is broadcast along one row and one column of the grid, column k of L along
# the rows, row k of L' along the columns.
# sizes: N=1 N=7
prog = ReadAlphabets("cholesky.ab");
setSpaceTimeMap(prog, "cholesky", "W", "(k,i,j -> k,0,i,j)");
setSpaceTimeMap(prog, "cholesky", "D", "(k -> k,1,k,k)");
setSpaceTimeMap(prog, "cholesky", "F", "(i,k -> k,2,i,k)");
setSpaceTimeMap(prog, "cholesky", "U", "(k,j -> k,2,k,j)");
setSpaceTimeMap(prog, "cholesky", "L", "(i,j -> N,0,i,j)");
setDistributed(prog, "cholesky", "", 2, "block-cyclic", 2);
setDistributed(prog, "cholesky", "", 3, "block-cyclic", 2);
setMemoryMap(prog, "cholesky", "W", "(k,i,j -> i,j)");
setMemoryMap(prog, "cholesky", "D", "(k -> k,k)");
setGhostMap(prog, "cholesky", "D", "(k -> 0)");
setGhostMap(prog, "cholesky", "F", "(i,k -> i)");
setGhostMap(prog, "cholesky", "U", "(k,j -> j)");
setTarget(prog, "cholesky", "mpi");
generateScheduledCode(prog, "cholesky");
generateWrapper(prog, "cholesky");
generateMakefile(prog, "cholesky");
