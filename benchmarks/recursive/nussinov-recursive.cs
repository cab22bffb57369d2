# The tuned mapping, its tiles recursive: squares of entries are halved.
prog = ReadAlphabets("../../samples/kernels/nussinov/nussinov.ab");
system = "nussinov";
SplitReductionBody(prog, "0,0,0,2,0,3", "{i,j,k | i+16<=k<=j-16}");
SplitReductionBody(prog, "0,0,0,2,0,3,1", "{i,j,k | k<i+16}");
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_S", "(i,j,k -> -i,j,0,k,0,0)");
setSpaceTimeMap(prog, system, "NR_S_1", "(i,j,k -> -i,j,1,-i,k,1)");
setSpaceTimeMap(prog, system, "NR_S_2", "(i,j,k -> -i,j,1,-i,k,1)", "(i,j -> -i,j,1,-i,i,0)");
setSpaceTimeMap(prog, system, "S", "(i,j -> -i,j,1,-i,j,0)");
setSpaceTimeMap(prog, system, "pairs", "( -> 0,N,1,0,N,1)");
setMemoryMap(prog, system, "NR_S", "S", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_S_1, NR_S_2", "(i,j -> j)");
setTiling(prog, system, 0, 64);
setTiling(prog, system, 1, 64);
setTilingType(prog, system, "recursive");
setRegisterTile(prog, system, 0, 16);
setRegisterTile(prog, system, 1, 16);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
