# Wrong: the score is computed before the best of the rows.
prog = ReadAlphabets("../../../../samples/kernels/smith-waterman/smith-waterman.ab");
system = "smith_waterman";

setSpaceTimeMap(prog, system, "H", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "best", "(i -> 2,i,0)");
setSpaceTimeMap(prog, system, "score", "( -> 1,0,0)");

VerifyTargetMapping(prog, system, "MIN");
