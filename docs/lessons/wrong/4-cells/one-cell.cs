# Wrong: one cell for all sums, which are all results.
prog = ReadAlphabets("../../../../samples/prefix-sum/prefix-sum.ab");
system = "prefix_sum";

setSpaceTimeMap(prog, system, "y", "(i -> i)");
setMemoryMap(prog, system, "y", "y", "(i -> 0)");

VerifyTargetMapping(prog, system, "MIN");
