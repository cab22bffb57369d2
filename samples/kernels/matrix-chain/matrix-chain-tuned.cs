# Entries in tiles of 64 x 64, the tiles of one wavefront in parallel, in squares of 16 x 16.
# A cut that is 16 or more away from both ends reads complete squares only: these cuts are tried first, 16 x 16 entries at
# a time as in a matrix product; then, row by row, those near the left end and near the right end, a row at once.
# The register tiles are legal because they are not larger than 16: the verdict says so.
# sizes: N=1 N=8 N=70
prog = ReadAlphabets("matrix-chain.ab");
system = "matrix_chain";
SplitReductionBody(prog, "0,0,0,1,0", "{i,j,k | i+16<=k<j-16}");
SplitReductionBody(prog, "0,0,0,1,0,1", "{i,j,k | k<i+16}");
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_M", "(i,j,k -> -i,j,0,k,0,0)");
setSpaceTimeMap(prog, system, "NR_M_1", "(i,j,k -> -i,j,1,-i,k,1)");
setSpaceTimeMap(prog, system, "NR_M_2", "(i,j,k -> -i,j,1,-i,k,1)", "(i,j -> -i,j,1,-i,i,0)");
setSpaceTimeMap(prog, system, "M", "(i,j -> -i,j,1,-i,j,0)");
setSpaceTimeMap(prog, system, "best", "( -> 0,N,1,0,N,1)");
setMemoryMap(prog, system, "NR_M", "M", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_M_1, NR_M_2", "(i,j -> j)");
setTiling(prog, system, 0, 64);
setTiling(prog, system, 1, 64);
setTilingType(prog, system, "omp");
setRegisterTile(prog, system, 0, 16);
setRegisterTile(prog, system, 1, 16);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
