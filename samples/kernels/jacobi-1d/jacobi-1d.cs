# Step by step.
# sizes: N=3,T=0 N=9,T=4 N=67,T=35 N=2200,T=70
prog = ReadAlphabets("jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> t,i)");
setSpaceTimeMap(prog, system, "B", "(i -> T+1,i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
