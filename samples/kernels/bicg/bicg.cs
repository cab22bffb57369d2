# One product, then the other.
# sizes: M=1,N=1 M=6,N=9 M=65,N=67
prog = ReadAlphabets("bicg.ab");
system = "bicg";

setSpaceTimeMap(prog, system, "s", "(j -> 0,j)");
setSpaceTimeMap(prog, system, "q", "(i -> 1,i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
