# Step by step.
# sizes: N=3,T=0 N=6,T=3 N=11,T=5 N=60,T=18
prog = ReadAlphabets("heat-3d.ab");
system = "heat-3d";

setSpaceTimeMap(prog, system, "X", "(t,i,j,k -> t,i,j,k)");
setSpaceTimeMap(prog, system, "B", "(i,j,k -> T+1,i,j,k)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
