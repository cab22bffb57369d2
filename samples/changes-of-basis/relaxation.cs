# Change of basis, then schedule: in the new basis the first index is time, and all points of one time are independent.
# sizes: T=1,N=3 T=4,N=9 T=12,N=10
prog = ReadAlphabets("relaxation.ab");
system = "relaxation";
CoB(prog, system, "X", "(t,i -> 2t+i,t)");
AShow(prog);

setSpaceTimeMap(prog, system, "X", "(t,p -> t,p)");
setSpaceTimeMap(prog, system, "R", "(i -> 2T+i+1,T)");
setDimensionType(prog, system, "X, R", 1, "PARALLEL");
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
