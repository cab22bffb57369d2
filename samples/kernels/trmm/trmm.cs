# Entry by entry.
# sizes: M=2,N=1 M=6,N=9 M=35,N=33
prog = ReadAlphabets("trmm.ab");
system = "trmm";

setSpaceTimeMap(prog, system, "B", "(i,j -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
