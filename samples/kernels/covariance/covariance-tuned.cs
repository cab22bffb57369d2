# Blocks of variables in parallel, tiled; each sum is accumulated in the cell of its result, the covariances in the
# upper triangle of cov, which are there already; they are copied to the lower one, its rows in parallel.
# sizes: M=1,N=2 M=6,N=9 M=33,N=35
prog = ReadAlphabets("covariance.ab");
system = "covariance";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "n", "(-> 0,0,0,0)");
setSpaceTimeMap(prog, system, "NR_mean", "(i,k -> 1,i,k,0)");
setSpaceTimeMap(prog, system, "mean", "(i -> 1,i,N,0)");
setSpaceTimeMap(prog, system, "D", "(k,i -> 2,k,i,0)");
setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> 3,j,i,k)");
setSpaceTimeMap(prog, system, "C", "(i,j -> 3,j,i,N)");
setSpaceTimeMap(prog, system, "cov", "(i,j -> 4,i,j,0)");
setMemoryMap(prog, system, "NR_mean, mean", "mean", "(i -> i)");
setMemoryMap(prog, system, "NR_C, C", "cov", "(i,j -> i,j)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "1", 0);
setParallel(prog, system, "2", 0);
setParallel(prog, system, "3", 0);
setParallel(prog, system, "4", 0);
setTiling(prog, system, 1, 64);
setTiling(prog, system, 2, 96);
setTiling(prog, system, 3, 256);
setRegisterTile(prog, system, 1, 8);
setRegisterTile(prog, system, 2, 6);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
