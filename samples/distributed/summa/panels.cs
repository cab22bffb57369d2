# The same with panels: steps are tiles of 4, at the end of which 4 columns of A and 4 rows of B are sent together.
# sizes: N=1 N=11
prog = ReadAlphabets("summa.ab");
setSpaceTimeMap(prog, "summa", "X", "(i,k -> k,i,k)");
setSpaceTimeMap(prog, "summa", "Y", "(k,j -> k,k,j)");
setSpaceTimeMap(prog, "summa", "C", "(i,j,k -> k+4,i,j)");
setBandForTiling(prog, "summa", "tiles", 0, 2, "4,0,0");
setDistributed(prog, "summa", "", 1, "block");
setDistributed(prog, "summa", "", 2, "block");
setGhostMap(prog, "summa", "X", "(i,k -> i,k)", "0,4");
setGhostMap(prog, "summa", "Y", "(k,j -> k,j)", "4,0");
setTarget(prog, "summa", "mpi");
generateScheduledCode(prog, "summa");
generateWrapper(prog, "summa");
generateMakefile(prog, "summa");
