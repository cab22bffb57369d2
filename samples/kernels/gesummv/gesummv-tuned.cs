# Rows in parallel; both sums in one loop, so that x is read once. One is accumulated in the cell of the result.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("gesummv.ab");
system = "gesummv";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_y", "(i,j -> i,j)");
setSpaceTimeMap(prog, system, "NR_y_1", "(i,j -> i,j)");
setSpaceTimeMap(prog, system, "y", "(i -> i,N)");
setMemoryMap(prog, system, "NR_y", "y", "(i -> i)");
setParallel(prog, system, "", 0);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
