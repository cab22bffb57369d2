# Wrong: the best of a row has the date of the last score, and nothing orders them.
prog = ReadAlphabets("../../../../samples/kernels/smith-waterman/smith-waterman.ab");
system = "smith_waterman";

setSpaceTimeMap(prog, system, "H", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "best", "(i -> 0,i,N)");
setSpaceTimeMap(prog, system, "score", "( -> 2,0,0)");

VerifyTargetMapping(prog, system, "MIN");
