# One after the other.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("gemver.ab");
system = "gemver";

setSpaceTimeMap(prog, system, "B", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "x", "(i -> 1,i,0)");
setSpaceTimeMap(prog, system, "w", "(i -> 2,i,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
