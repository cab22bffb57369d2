# Wrong: the sums are computed from the last to the first.
prog = ReadAlphabets("../../../../samples/prefix-sum/prefix-sum.ab");
system = "prefix_sum";

setSpaceTimeMap(prog, system, "y", "(i -> -i)");

VerifyTargetMapping(prog, system, "MIN");
