# Entries in tiles of 64 x 64, the tiles of one wavefront in parallel, in squares of 16 x 16.
# A root that is 16 or more away from both ends reads complete squares only: these roots are tried first, 16 x 16 entries at
# a time as in a matrix product; then, row by row, those near the left end and near the right end, a row at once.
# The register tiles are legal because they are not larger than 16: the verdict says so.
# sizes: N=1 N=8 N=70
prog = ReadAlphabets("optimal-search-tree.ab");
system = "optimal_search_tree";
SplitReductionBody(prog, "0,1,0,1,0,1", "{i,j,r | i+16<=r<=j-16}");
SplitReductionBody(prog, "0,1,0,1,0,1,1", "{i,j,r | r<i+16}");
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "W", "(i,j -> -i,j,1,-i,j,0)");
setSpaceTimeMap(prog, system, "NR_C", "(i,j,r -> -i,j,0,r,0,0)");
setSpaceTimeMap(prog, system, "NR_C_1", "(i,j,r -> -i,j,1,-i,r,1)");
setSpaceTimeMap(prog, system, "NR_C_2", "(i,j,r -> -i,j,1,-i,r,1)", "(i,j -> -i,j,1,-i,i,0)");
setSpaceTimeMap(prog, system, "C", "(i,j -> -i,j,1,-i,j,2)");
setSpaceTimeMap(prog, system, "cost", "( -> 0,N,1,0,N,0)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_C_1, NR_C_2", "(i,j -> j)");
setMemoryMap(prog, system, "W", "(i,j -> i)");
setTiling(prog, system, 0, 64);
setTiling(prog, system, 1, 64);
setTilingType(prog, system, "omp");
setRegisterTile(prog, system, 0, 16);
setRegisterTile(prog, system, 1, 16);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
