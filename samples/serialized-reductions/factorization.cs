# Both sums get variables of their own and are accumulated in sequence, all rows of one step in parallel.
# sizes: N=2 N=3 N=17
prog = ReadAlphabets("factorization.ab");
system = "factorization";
NormalizeReduction(prog);
AShow(prog, system);

setSpaceTimeMap(prog, system, "NR_U", "(i,j,k -> k,2,i,j)", "(i,j -> -1,0,i,j)");
setSpaceTimeMap(prog, system, "NR_L", "(i,j,k -> k,2,i,j)", "(i,j -> -1,0,i,j)");
setSpaceTimeMap(prog, system, "U", "(i,j -> i,0,i,j)");
setSpaceTimeMap(prog, system, "L", "(i,j -> j,1,i,j)");
setOrderingDimensions(prog, system, "1");
setDimensionType(prog, system, "NR_U, NR_L, U, L", 2, "PARALLEL");
setMemorySpace(prog, system, "upper", "U, NR_U");
setMemorySpace(prog, system, "lower", "L, NR_L");
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system, "generated");
