# Wrong: two rows would be enough, but the best of each row is taken at the end.
prog = ReadAlphabets("../../../../samples/kernels/smith-waterman/smith-waterman.ab");
system = "smith_waterman";

setSpaceTimeMap(prog, system, "H", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "best", "(i -> 1,i,0)");
setSpaceTimeMap(prog, system, "score", "( -> 2,0,0)");
setMemoryMap(prog, system, "H", "H", "(i,j -> i,j)", "2,0");

VerifyTargetMapping(prog, system, "MIN");
