# Both sums in one pass: the threads of all blocks share the elements, and a second kernel adds the sums of blocks.
prog = ReadAlphabets("sum.ab");
setSpaceTimeMap(prog, "sum", "s", "(i -> i)");
setSpaceTimeMap(prog, "sum", "q", "(i -> i)");
setReductionOver(prog, "sum", "", 0, "partials");
setTarget(prog, "sum", "cuda", "sm_90");
generateScheduledCode(prog, "sum");
