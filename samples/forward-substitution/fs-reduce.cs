# The reduction stands inside a larger expression: it is evaluated whole when x[i] is.
# sizes: N=2 N=9 N=40
prog = ReadAlphabets("fs-reduce.ab");
system = "FS_reduce";

setSpaceTimeMap(prog, system, "x", "(i -> i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
