# Rows in parallel; both sums in one loop, in vectors, so that x is read once. One ends in the cell of the result.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("gesummv.ab");
system = "gesummv";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_y, NR_y_1", "(i,j -> i,0,j)");
setSpaceTimeMap(prog, system, "y", "(i -> i,1,0)");
setMemoryMap(prog, system, "NR_y", "y", "(i -> i)");
setOrderingDimensions(prog, system, 1);
setParallel(prog, system, "", 0);
setVectorDimension(prog, system, "", 2);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
