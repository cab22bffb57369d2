# Row by row: both sums are computed whole.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("gesummv.ab");
system = "gesummv";

setSpaceTimeMap(prog, system, "y", "(i -> i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
