# One variable of the program after the other.
# sizes: M=1,N=2 M=6,N=9 M=33,N=35
prog = ReadAlphabets("correlation.ab");
system = "correlation";

setSpaceTimeMap(prog, system, "n", "(-> 0,0,0)");
setSpaceTimeMap(prog, system, "mean", "(i -> 1,i,0)");
setSpaceTimeMap(prog, system, "deviation", "(i -> 2,i,0)");
setSpaceTimeMap(prog, system, "stddev", "(i -> 3,i,0)");
setSpaceTimeMap(prog, system, "scale", "(i -> 4,i,0)");
setSpaceTimeMap(prog, system, "D", "(k,i -> 5,k,i)");
setSpaceTimeMap(prog, system, "C", "(i,j -> 6,i,j)");
setSpaceTimeMap(prog, system, "corr", "(i,j -> 7,i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
