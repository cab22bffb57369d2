# Rows in parallel, 4 of both matrices at once, so that memory streams as many; both sums in one loop, in vectors, so that x
# is read once. One ends in the cell of the result.
# The register tiles are legal because their sums are done in one tile: the verdict says so.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("gesummv.ab");
system = "gesummv";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_y, NR_y_1", "(i,j -> i,1,j)", "(i -> i,0,0)");
setSpaceTimeMap(prog, system, "y", "(i -> i,2,0)");
setMemoryMap(prog, system, "NR_y", "y", "(i -> i)");
setParallel(prog, system, "", 0);
setVectorDimension(prog, system, "", 2);
setRegisterTile(prog, system, 0, 4);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
