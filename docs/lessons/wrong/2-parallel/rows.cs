# Wrong: the rows of the table need the rows above.
prog = ReadAlphabets("../../../../samples/kernels/smith-waterman/smith-waterman.ab");
system = "smith_waterman";

setSpaceTimeMap(prog, system, "H", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "best", "(i -> 1,i,0)");
setSpaceTimeMap(prog, system, "score", "( -> 2,0,0)");
setOrderingDimensions(prog, system, 0);
setDimensionType(prog, system, "H", 1, "PARALLEL");

VerifyTargetMapping(prog, system, "MIN");
