# Row by row.
# sizes: N=1 N=7 N=155
prog = ReadAlphabets("trisolv.ab");
system = "trisolv";

setSpaceTimeMap(prog, system, "x", "(i -> i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
