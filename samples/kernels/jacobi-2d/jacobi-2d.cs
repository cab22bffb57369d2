# Step by step.
# sizes: N=3,T=0 N=8,T=4 N=19,T=11 N=60,T=40
prog = ReadAlphabets("jacobi-2d.ab");
system = "jacobi-2d";

setSpaceTimeMap(prog, system, "X", "(t,i,j -> t,i,j)");
setSpaceTimeMap(prog, system, "B", "(i,j -> T+1,i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
