# Wrong: two sums have the same date.
prog = ReadAlphabets("../../../../samples/prefix-sum/prefix-sum.ab");
system = "prefix_sum";

setSpaceTimeMap(prog, system, "y", "(i -> 0)");

VerifyTargetMapping(prog, system, "MIN");
