# The second dimension in parallel, set for each variable.
# sizes: N=2 N=9 N=24
prog = ReadAlphabets("mcm.ab");
system = "MCM";

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> j-i,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,N+1)");
setDimensionType(prog, system, "SR_M", 1, "PARALLEL");
setDimensionType(prog, system, "M", 1, "P");
setDimensionType(prog, system, "min_cost", 1, "PARALLEL");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
