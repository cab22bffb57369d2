# Field by field in each step.
# sizes: NX=2,NY=2,T=1 NX=7,NY=6,T=4 NX=17,NY=19,T=11
prog = ReadAlphabets("fdtd-2d.ab");
system = "fdtd-2d";

setSpaceTimeMap(prog, system, "EY", "(t,i,j -> t,0,i,j)");
setSpaceTimeMap(prog, system, "EX", "(t,i,j -> t,1,i,j)");
setSpaceTimeMap(prog, system, "HZ", "(t,i,j -> t,2,i,j)");
setSpaceTimeMap(prog, system, "ex, ey, hz", "(i,j -> T+1,0,i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
