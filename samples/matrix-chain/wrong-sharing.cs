# Wrong: one row of cells is not enough: M[i,j] is still needed when M[i,j+1] is written.
prog = ReadAlphabets("mcm.ab");
system = "MCM";
CheckProgram(prog);

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> j-i,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,N+1)");
setParallel(prog, system, "", "1");

setMemoryMap(prog, system, "SR_M", "M", "(i,j,k -> i)");
setMemoryMap(prog, system, "M", "M", "(i,j -> i)");

VerifyTargetMapping(prog, system, "MIN");
