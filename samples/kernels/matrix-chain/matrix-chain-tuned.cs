# Row by row from the last; a cut is tried for all intervals of a row at once, in vectors, as soon as the entry left of it
# is complete. The minimum is accumulated in the cell of its result.
# sizes: N=1 N=8 N=35
prog = ReadAlphabets("matrix-chain.ab");
system = "matrix_chain";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_M", "(i,j,k -> -i,k,1,j)");
setSpaceTimeMap(prog, system, "M", "(i,j -> -i,j,0,j)");
setSpaceTimeMap(prog, system, "best", "( -> 0,N,0,0)");
setMemoryMap(prog, system, "NR_M", "M", "(i,j -> i,j)");
setOrderingDimensions(prog, system, 2);
setVectorDimension(prog, system, "", 3);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
