# Wrong: the best of each row is accumulated in parallel, in one cell.
prog = ReadAlphabets("../../../../samples/kernels/smith-waterman/smith-waterman.ab");
system = "smith_waterman";

setSpaceTimeMap(prog, system, "H", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "best", "(i,j -> 1,i,j)");
setSpaceTimeMap(prog, system, "score", "( -> 2,0,0)");
setOrderingDimensions(prog, system, 0);
setDimensionType(prog, system, "best", 2, "PARALLEL");

VerifyTargetMapping(prog, system, "MIN");
