# Blocks of rows in parallel, then blocks of columns in parallel; sums are accumulated in the cells of their results.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("mvt.ab");
system = "mvt";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_x1", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "x1", "(i -> 0,i,N)");
setSpaceTimeMap(prog, system, "NR_x2", "(i,j -> 1,i,j)");
setSpaceTimeMap(prog, system, "x2", "(i -> 1,i,N)");
setMemoryMap(prog, system, "NR_x1", "x1", "(i -> i)");
setMemoryMap(prog, system, "NR_x2", "x2", "(i -> i)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "", 1);
setTiling(prog, system, 1, 64);
setTiling(prog, system, 2, 64);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
