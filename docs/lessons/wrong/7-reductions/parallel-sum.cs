# Wrong: the numbers of a sum are added in parallel, to one cell.
prog = ReadAlphabets("../../../../samples/simplified-reductions/running-sums.ab");
system = "running_sums";

setSpaceTimeMap(prog, system, "S", "(i,j -> i,j)");
setParallel(prog, system, "", "1");

VerifyTargetMapping(prog, system, "MIN");
