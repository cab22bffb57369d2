# Both sums in one pass: the threads of all blocks share the elements, and a second kernel adds the sums of blocks.
prog = ReadAlphabets("sum.ab");
setSpaceTimeMap(prog, "sum", "s", "(i -> i)", "( -> -1)");
setSpaceTimeMap(prog, "sum", "q", "(i -> i)", "( -> -1)");
setReductionOver(prog, "sum", "", 0, "partials");
setTarget(prog, "sum", "cuda", "sm_90");
generateScheduledCode(prog, "sum");
