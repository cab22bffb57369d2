# Diagonal by diagonal, all in sequence, every value in a cell of its own.
# sizes: N=2 N=9 N=24
prog = ReadAlphabets("mcm.ab");
system = "MCM";

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> j-i,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,N+1)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
