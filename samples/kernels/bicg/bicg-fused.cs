# One pass over the matrix, row by row.
# sizes: M=1,N=1 M=6,N=9 M=65,N=67
prog = ReadAlphabets("bicg.ab");
system = "bicg";

setSpaceTimeMap(prog, system, "q", "(i,j -> i,j)");
setSpaceTimeMap(prog, system, "s", "(j,i -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
