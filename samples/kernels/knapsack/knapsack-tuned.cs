# Item by item in two rows of memory; blocks of capacities in parallel.
# sizes: N=1,W=0 N=6,W=9 N=13,W=35
prog = ReadAlphabets("knapsack.ab");
system = "knapsack";

setSpaceTimeMap(prog, system, "K", "(i,w -> 0,i,w)");
setSpaceTimeMap(prog, system, "best", "( -> 1,0,0)");
setOrderingDimensions(prog, system, 0);
setMemoryMap(prog, system, "K", "(i,w -> i,w)", "2,0");
setParallel(prog, system, "0", 1);
setTiling(prog, system, 2, 8192);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
