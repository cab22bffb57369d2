# Means and deviations by blocks of 256 columns in parallel, whole rows of D by blocks of rows; then the product as in BLAS,
# of the upper triangle, in the cells of corr: both operands are parts of D, packed; a block of sums is in registers. The upper
# triangle is copied to the lower.
# sizes: M=1,N=2 M=6,N=9 M=33,N=35
prog = ReadAlphabets("correlation.ab");
system = "correlation";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "n", "(-> 0,0,0,0,0)");
setSpaceTimeMap(prog, system, "NR_mean", "(i,k -> 1,k,i,0,0)");
setSpaceTimeMap(prog, system, "mean", "(i -> 1,N,i,0,0)");
setSpaceTimeMap(prog, system, "NR_deviation", "(i,k -> 2,k,i,0,0)");
setSpaceTimeMap(prog, system, "deviation", "(i -> 2,N,i,0,0)");
setSpaceTimeMap(prog, system, "stddev", "(i -> 2,N+1,i,0,0)");
setSpaceTimeMap(prog, system, "scale", "(i -> 2,N+2,i,0,0)");
setSpaceTimeMap(prog, system, "D", "(k,i -> 3,0,0,k,i)");
setSpaceTimeMap(prog, system, "C", "(i,j,k -> 4,j,k,i,0)");
setSpaceTimeMap(prog, system, "corr", "(i,j -> 5,0,j,i,0)");
setMemoryMap(prog, system, "NR_mean, mean", "mean", "(i -> i)");
setMemoryMap(prog, system, "NR_deviation, deviation, stddev, scale", "scale", "(i -> i)");
setMemoryMap(prog, system, "C", "corr", "(i,j -> i,j)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "1", 1);
setParallel(prog, system, "2", 1);
setParallel(prog, system, "", 3);
setTiling(prog, system, 1, 2016);
setTiling(prog, system, 2, 512);
setTiling(prog, system, 3, 72);
setRegisterTile(prog, system, "4", 0, "auto");
setRegisterTile(prog, system, "4", 2, "auto");
setPacking(prog, system, "C", "D");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
