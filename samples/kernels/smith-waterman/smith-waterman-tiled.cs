# The whole table, tiled, the tiles of one wavefront in parallel.
# sizes: M=1,N=1 M=6,N=9 M=67,N=65
prog = ReadAlphabets("smith-waterman.ab");
system = "smith_waterman";

setSpaceTimeMap(prog, system, "H", "(i,j -> 0,i,j,0)");
setSpaceTimeMap(prog, system, "best", "(i,j -> 0,i,j,1)");
setSpaceTimeMap(prog, system, "score", "(i -> 1,i,0,0)");
setOrderingDimensions(prog, system, "0,3");
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 32);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
