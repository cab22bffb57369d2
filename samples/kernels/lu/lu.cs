# Row by row.
# sizes: N=1 N=7 N=157
prog = ReadAlphabets("lu.ab");
system = "lu";

setSpaceTimeMap(prog, system, "L", "(i,j -> i,j)");
setSpaceTimeMap(prog, system, "U", "(i,j -> i,j)");
setSpaceTimeMap(prog, system, "LU", "(i,j -> i+N,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
