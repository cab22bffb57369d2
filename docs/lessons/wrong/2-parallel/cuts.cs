# Wrong: the cuts of one chain are compared in parallel, in a running minimum.
prog = ReadAlphabets("../../../../samples/matrix-chain/mcm.ab");
system = "MCM";

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> j-i,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,N+1)");
setParallel(prog, system, "", "2");

VerifyTargetMapping(prog, system, "MIN");
