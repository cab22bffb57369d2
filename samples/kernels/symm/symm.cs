# Entry by entry.
# sizes: M=1,N=1 M=6,N=9 M=35,N=33
prog = ReadAlphabets("symm.ab");
system = "symm";

setSpaceTimeMap(prog, system, "C", "(i,j -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
