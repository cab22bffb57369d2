# One product, then the other.
# sizes: M=1,N=1 M=6,N=9 M=65,N=67
prog = ReadAlphabets("atax.ab");
system = "atax";

setSpaceTimeMap(prog, system, "tmp", "(i -> 0,i)");
setSpaceTimeMap(prog, system, "y", "(j -> 1,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
