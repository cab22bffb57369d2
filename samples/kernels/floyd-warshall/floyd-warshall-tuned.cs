# In place: all D are in the cells of d, and one row and one column are saved for each vertex. Rows in parallel.
# Without these copies the classical loop reads row k and column k while it writes them, with the same values where no
# cycle is negative: that is an argument about values, and is refuted.
# sizes: N=1 N=7 N=33
prog = ReadAlphabets("floyd-warshall.ab");
system = "floyd-warshall";

setSpaceTimeMap(prog, system, "D", "(k,i,j -> k,0,i,j)");
setSpaceTimeMap(prog, system, "column", "(k,i -> k,1,i,0)");
setSpaceTimeMap(prog, system, "row", "(k,j -> k,2,j,0)");
setMemoryMap(prog, system, "D", "d", "(k,i,j -> i,j)");
setMemoryMap(prog, system, "column", "(k,i -> i)");
setMemoryMap(prog, system, "row", "(k,i -> i)");
setParallel(prog, system, "", 2);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
