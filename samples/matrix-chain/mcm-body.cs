# The reduction is mapped at its body: three indices.
# sizes: N=2 N=9 N=24
prog = ReadAlphabets("mcm-normalized.ab");
system = "MCM_normalized";

setSpaceTimeMap(prog, system, "NR_M", "(i,j,k -> j-i,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,N+1)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
