# Wrong: adjacent tiles depend on each other, and run in parallel.
prog = ReadAlphabets("../../../../samples/kernels/smith-waterman/smith-waterman.ab");
system = "smith_waterman";

setSpaceTimeMap(prog, system, "H", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "best", "(i -> 1,i,0)");
setSpaceTimeMap(prog, system, "score", "( -> 2,0,0)");
setDimensionType(prog, system, "H", 2, "PARALLEL");
setOrderingDimensions(prog, system, 0);
setTiling(prog, system, 1, 8);
setTiling(prog, system, 2, 8);

VerifyTargetMapping(prog, system, "MIN");
