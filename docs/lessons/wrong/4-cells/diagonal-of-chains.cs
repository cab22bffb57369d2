# Wrong: chains of one length share a cell, and are all needed later.
prog = ReadAlphabets("../../../../samples/matrix-chain/mcm.ab");
system = "MCM";

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> j-i,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,N+1)");
setMemoryMap(prog, system, "M", "M", "(i,j -> j-i)");

VerifyTargetMapping(prog, system, "MIN");
