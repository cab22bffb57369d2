# Column by column.
# sizes: M=1,N=1 M=9,N=6 M=107,N=101
prog = ReadAlphabets("gramschmidt.ab");
system = "gramschmidt";

setSpaceTimeMap(prog, system, "V", "(k,i,j -> k,0,i,j)");
setSpaceTimeMap(prog, system, "norm", "(k -> k,1,0,0)");
setSpaceTimeMap(prog, system, "Q", "(i,k -> k,2,i,0)");
setSpaceTimeMap(prog, system, "R", "(k,j -> k,3,j,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
