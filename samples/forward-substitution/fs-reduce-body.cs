# The reduction gets a name of its own, and its body a date for each product.
# sizes: N=2 N=9 N=40
prog = ReadAlphabets("fs-reduce.ab");
system = "FS_reduce";

NormalizeReduction(prog);
setSpaceTimeMap(prog, system, "NR_x", "(i,k -> i,k)");
setSpaceTimeMap(prog, system, "x", "(i -> i,i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
