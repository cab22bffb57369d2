# Blocks of columns in parallel: each updates its part of the matrix and adds it to its part of x while it is in cache.
# Then the rows in parallel. Sums are accumulated in the cells of their results.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("gemver.ab");
system = "gemver";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "B", "(i,j -> 0,j,i,0)");
setSpaceTimeMap(prog, system, "NR_x", "(i,j -> 0,i,j,1)");
setSpaceTimeMap(prog, system, "x", "(i -> 0,i,N,0)");
setSpaceTimeMap(prog, system, "NR_w", "(i,j -> 1,i,j,0)");
setSpaceTimeMap(prog, system, "w", "(i -> 1,i,N,0)");
setMemoryMap(prog, system, "NR_x", "x", "(i -> i)");
setMemoryMap(prog, system, "NR_w", "w", "(i -> i)");
setOrderingDimensions(prog, system, "0,3");
setParallel(prog, system, "", 1);
setTiling(prog, system, 1, 64);
setTiling(prog, system, 2, 64);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
