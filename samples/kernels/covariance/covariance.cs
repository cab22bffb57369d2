# One variable of the program after the other.
# sizes: M=1,N=2 M=6,N=9 M=33,N=35
prog = ReadAlphabets("covariance.ab");
system = "covariance";

setSpaceTimeMap(prog, system, "n", "(-> 0,0,0)");
setSpaceTimeMap(prog, system, "mean", "(i -> 1,i,0)");
setSpaceTimeMap(prog, system, "D", "(k,i -> 2,k,i)");
setSpaceTimeMap(prog, system, "C", "(i,j -> 3,i,j)");
setSpaceTimeMap(prog, system, "cov", "(i,j -> 4,i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
