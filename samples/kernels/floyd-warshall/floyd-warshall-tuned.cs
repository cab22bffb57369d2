# Found by `alphaz schedule floyd-warshall.ab`, and proved.
# All D are in the cells of d, and one row and one column are saved for each vertex. It is faster than what was written by
# hand, without vectors.
# Without these copies the classical loop reads row k and column k while it writes them, with the same values where no
# cycle is negative: that is an argument about values, and is refuted.
# sizes: N=1 N=7 N=33
prog = ReadAlphabets("floyd-warshall.ab");

system = "floyd-warshall";
# loops: sequential, parallel, parallel
setSpaceTimeMap(prog, system, "D", "(k,i,j -> 0,k,0,i,j)");
# loops: sequential, parallel
setSpaceTimeMap(prog, system, "row", "(k,j -> 0,k,1,j,0)");
setSpaceTimeMap(prog, system, "column", "(k,i -> 0,k,2,i,0)");
# loops: parallel, parallel
setSpaceTimeMap(prog, system, "d", "(i,j -> 1,i,j,0,0)");
setOrderingDimensions(prog, system, "0");
setDimensionType(prog, system, "D, row, column", 2, "O");
setDimensionType(prog, system, "D", 3, "P");
setDimensionType(prog, system, "D", 4, "V");
setDimensionType(prog, system, "row", 3, "V");
setDimensionType(prog, system, "d", 2, "V");
setMemoryMap(prog, system, "D", "d", "(k,i,j -> i,j)");
setMemoryMap(prog, system, "row", "(k,i -> i)");
setMemoryMap(prog, system, "column", "(k,i -> i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
