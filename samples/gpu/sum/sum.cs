# Both sums in one pass: threads of all blocks share the elements, and a second kernel adds the sums of blocks.
# sizes: N=0 N=1 N=256 N=700
prog = ReadAlphabets("sum.ab");
system = "sum";

setSpaceTimeMap(prog, system, "s", "(i -> i)");
setSpaceTimeMap(prog, system, "q", "(i -> i)");
setReductionOver(prog, system, "", 0, "partials");
setTarget(prog, system, "cuda", "sm_90");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
