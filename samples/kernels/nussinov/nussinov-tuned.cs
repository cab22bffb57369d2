# Row by row from the last; a cut is tried for all intervals of a row at once, in vectors, as soon as the entry left of it
# is complete. The maximum is accumulated in the cell of its result.
# sizes: N=1 N=8 N=35
prog = ReadAlphabets("nussinov.ab");
system = "nussinov";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_S", "(i,j,k -> -i,k,1,j)");
setSpaceTimeMap(prog, system, "S", "(i,j -> -i,j,0,j)");
setSpaceTimeMap(prog, system, "pairs", "( -> 0,N,0,N)");
setMemoryMap(prog, system, "NR_S", "S", "(i,j -> i,j)");
setOrderingDimensions(prog, system, 2);
setVectorDimension(prog, system, "", 3);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
