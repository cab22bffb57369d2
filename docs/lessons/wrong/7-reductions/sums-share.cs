# Wrong: all sums are accumulated in one cell, row by row of j.
prog = ReadAlphabets("../../../../samples/simplified-reductions/running-sums.ab");
system = "running_sums";

setSpaceTimeMap(prog, system, "S", "(i,j -> j,i)");
setMemoryMap(prog, system, "S", "S", "(i -> 0)");

VerifyTargetMapping(prog, system, "MIN");
