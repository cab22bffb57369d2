# Wrong: with values dealt out one by one, ranks would wait for each other in a circle.
prog = ReadAlphabets("prefix-sum.ab");
setSpaceTimeMap(prog, "prefix_sum", "P", "(i -> i)");
setDistributed(prog, "prefix_sum", "", 0, "cyclic");
VerifyTargetMapping(prog, "prefix_sum", "MIN");
