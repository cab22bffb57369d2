# Wrong: M copies the minimum before it is there.
prog = ReadAlphabets("mcm-normalized.ab");
system = "MCM_normalized";

setSpaceTimeMap(prog, system, "NR_M", "(i,j -> j-i,i,1)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,0)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,2)");

VerifyTargetMapping(prog, system, "MIN");
