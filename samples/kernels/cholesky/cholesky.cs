# Row by row.
# sizes: N=1 N=7 N=205
prog = ReadAlphabets("cholesky.ab");
system = "cholesky";

setSpaceTimeMap(prog, system, "L", "(i,j -> i,j,0)");
setSpaceTimeMap(prog, system, "U", "(k,j -> j,k,1)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
