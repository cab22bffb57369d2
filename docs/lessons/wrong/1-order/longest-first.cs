# Wrong: the longest chains come first, and need the shorter ones.
prog = ReadAlphabets("../../../../samples/matrix-chain/mcm.ab");
system = "MCM";

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> i-j,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> i-j,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> 1,1,0)");

VerifyTargetMapping(prog, system, "MIN");
