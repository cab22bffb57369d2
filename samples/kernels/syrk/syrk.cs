# Entry by entry of the triangle.
# sizes: N=1,M=1 N=6,M=9 N=35,M=33
prog = ReadAlphabets("syrk.ab");
system = "syrk";

setSpaceTimeMap(prog, system, "C", "(i,j -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
