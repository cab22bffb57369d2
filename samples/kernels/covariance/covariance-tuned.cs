# Means by blocks of 256 columns in parallel, whole rows of D by blocks of rows; then the product as in BLAS, of the upper
# triangle, in the cells of cov: both operands are parts of D, packed; a block of sums is in registers. The upper triangle is
# copied to the lower one.
# sizes: M=1,N=2 M=6,N=9 M=33,N=35
prog = ReadAlphabets("covariance.ab");
system = "covariance";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "n", "(-> 0,0,0,0,0)");
setSpaceTimeMap(prog, system, "NR_mean", "(i,k -> 1,k,i,0,0)");
setSpaceTimeMap(prog, system, "mean", "(i -> 1,N,i,0,0)");
setSpaceTimeMap(prog, system, "D", "(k,i -> 2,0,0,k,i)");
setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> 3,j,k,i,0)");
setSpaceTimeMap(prog, system, "C", "(i,j -> 3,j,N,i,0)");
setSpaceTimeMap(prog, system, "cov", "(i,j -> 4,0,j,i,0)");
setMemoryMap(prog, system, "NR_mean, mean", "mean", "(i -> i)");
setMemoryMap(prog, system, "NR_C, C", "cov", "(i,j -> i,j)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "1", 1);
setParallel(prog, system, "", 3);
setTiling(prog, system, 1, 2016);
setTiling(prog, system, 2, 512);
setTiling(prog, system, 3, 72);
setRegisterTile(prog, system, "3", 0, "auto");
setRegisterTile(prog, system, "3", 2, "auto");
setPacking(prog, system, "NR_C", "D");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
