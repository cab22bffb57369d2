# Row by row.
# sizes: N=1 N=7 N=157
prog = ReadAlphabets("lu.ab");
system = "lu";

setSpaceTimeMap(prog, system, "S", "(i,j -> i,j,0)");
setSpaceTimeMap(prog, system, "L, U", "(i,j -> i,j,1)");
setSpaceTimeMap(prog, system, "LU", "(i,j -> i+N,j,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
