# Blocks of 2 x 2 are dealt out on a grid. Column k goes along the rows of the grid, and to the ranks of the columns with
# the same numbers: every rank gets what its own part of the triangle reads.
# sizes: N=1 N=7
prog = ReadAlphabets("cholesky.ab");
setSpaceTimeMap(prog, "cholesky", "W", "(k,i,j -> 3k,i,j)");
setSpaceTimeMap(prog, "cholesky", "D", "(j -> 3j+1,j,j)");
setSpaceTimeMap(prog, "cholesky", "F", "(i,k -> 3k+2,i,k)");
setSpaceTimeMap(prog, "cholesky", "L", "(i,j -> 3N,i,j)");
setDistributed(prog, "cholesky", "", 1, "block-cyclic", 2);
setDistributed(prog, "cholesky", "", 2, "block-cyclic", 2);
setMemoryMap(prog, "cholesky", "W", "(k,i,j -> i,j)");
setMemoryMap(prog, "cholesky", "D", "(j -> j,j)");
setGhostMap(prog, "cholesky", "D", "(j -> 0)");
setGhostMap(prog, "cholesky", "F", "(i,k -> i)");
setTarget(prog, "cholesky", "mpi");
generateScheduledCode(prog, "cholesky");
generateWrapper(prog, "cholesky");
generateMakefile(prog, "cholesky");
