# Row by row.
# sizes: N=1 N=7 N=205
prog = ReadAlphabets("cholesky.ab");
system = "cholesky";

setSpaceTimeMap(prog, system, "S", "(i,j -> i,j,0)");
setSpaceTimeMap(prog, system, "L", "(i,j -> i,j,1)");
setSpaceTimeMap(prog, system, "U", "(k,j -> j,k,2)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
