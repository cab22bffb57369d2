# Wrong: subchains of different lengths depend on each other, so the first dimension cannot be parallel.
prog = ReadAlphabets("mcm.ab");
system = "MCM";
CheckProgram(prog);

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> j-i,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,N+1)");
setParallel(prog, system, "", "0");

setMemoryMap(prog, system, "SR_M", "M", "(i,j,k -> i,j)");
setMemoryMap(prog, system, "M", "M", "(i,j -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
