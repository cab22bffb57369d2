# Diagonal by diagonal; the subchains of one length in parallel; the minimum is accumulated in the cell of its result.
# sizes: N=2 N=9 N=24
prog = ReadAlphabets("mcm.ab");
system = "MCM";
CheckProgram(prog);

setSpaceTimeMap(prog, system, "SR_M", "(i,j,k -> j-i,i,k)");
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N-1,1,N+1)");
setParallel(prog, system, "", "1");

setMemoryMap(prog, system, "SR_M", "M", "(i,j,k -> i,j)");
setMemoryMap(prog, system, "M", "M", "(i,j -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
generateVerificationCode(prog, system);
generateWrapper(prog, system);
generateMakefile(prog, system);
