# Wrong: the accumulation over k is split over threads.
prog = ReadAlphabets("mcm.ab");
system = "MCM";

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> j-i,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,N+1)");
setDimensionType(prog, system, "SR_M", 2, "PARALLEL");
setDimensionType(prog, system, "M", 2, "P");
setDimensionType(prog, system, "min_cost", 2, "PARALLEL");

VerifyTargetMapping(prog, system, "MIN");
