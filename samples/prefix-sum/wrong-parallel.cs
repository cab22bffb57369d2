# Wrong: each sum needs the one before.
prog = ReadAlphabets("prefix-sum.ab");
setSpaceTimeMap(prog, "prefix_sum", "y", "(i -> i)");
setParallel(prog, "prefix_sum", "", 0);
generateScheduledCode(prog, "prefix_sum");
