# SUMMA: a rank has blocks of all matrices. In step k the ranks with column k of A send it along the rows of the grid,
# those with row k of B along its columns; every rank adds their product. Ghosts are one column and one row.
# sizes: N=1 N=7
prog = ReadAlphabets("summa.ab");
setSpaceTimeMap(prog, "summa", "X", "(i,k -> k,i,k)");
setSpaceTimeMap(prog, "summa", "Y", "(k,j -> k,k,j)");
setSpaceTimeMap(prog, "summa", "C", "(i,j,k -> k+1,i,j)");
setDistributed(prog, "summa", "", 1, "block");
setDistributed(prog, "summa", "", 2, "block");
setGhostMap(prog, "summa", "X", "(i,k -> i)");
setGhostMap(prog, "summa", "Y", "(k,j -> j)");
setTarget(prog, "summa", "mpi");
generateScheduledCode(prog, "summa");
generateWrapper(prog, "summa");
generateMakefile(prog, "summa");
