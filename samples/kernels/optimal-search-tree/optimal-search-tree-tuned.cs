# Row by row from the last; a root is tried for all intervals of a row at once, in vectors, as soon as the entry left of
# it is complete. The minimum is accumulated in the cell of its result.
# sizes: N=1 N=8 N=35
prog = ReadAlphabets("optimal-search-tree.ab");
system = "optimal_search_tree";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "W", "(i,j -> -i,j,0,j)");
setSpaceTimeMap(prog, system, "NR_C", "(i,j,r -> -i,r,1,j)");
setSpaceTimeMap(prog, system, "C", "(i,j -> -i,j,2,j)");
setSpaceTimeMap(prog, system, "cost", "( -> 0,N,0,0)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setMemoryMap(prog, system, "W", "(i,j -> i)");
setOrderingDimensions(prog, system, 2);
setVectorDimension(prog, system, "", 3);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
