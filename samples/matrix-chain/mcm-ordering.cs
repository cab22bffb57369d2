# Statement order by dimensions of its own.
# sizes: N=2 N=9 N=24
prog = ReadAlphabets("mcm.ab");
system = "MCM";

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> 0,j-i,i,0,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> 0,j-i,i,1,0)");
setSpaceTimeMap(prog, system, "min_cost", "( -> 1,0,0,0,0)");
setDimensionType(prog, system, "SR_M", 0, "ORDERING");
setDimensionType(prog, system, "M", 0, "ORDERING");
setDimensionType(prog, system, "min_cost", 0, "ORDERING");
setDimensionType(prog, system, "SR_M", 3, "ORDERING");
setDimensionType(prog, system, "M", 3, "ORDERING");
setDimensionType(prog, system, "min_cost", 3, "ORDERING");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
