# Sweep by sweep.
# sizes: N=3,T=0 N=8,T=4 N=19,T=11 N=190,T=17
prog = ReadAlphabets("seidel-2d.ab");
system = "seidel-2d";

setSpaceTimeMap(prog, system, "X", "(t,i,j -> t,i,j)");
setSpaceTimeMap(prog, system, "B", "(i,j -> T+1,i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
