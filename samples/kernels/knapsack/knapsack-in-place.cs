# Item by item in one row of memory, from the greatest capacity down: an entry reads only those of smaller capacity, of
# the item before. (Done at once or in parallel it needs two rows: see knapsack-tuned.cs.)
# sizes: N=1,W=0 N=6,W=9 N=13,W=35
prog = ReadAlphabets("knapsack.ab");
system = "knapsack";

setSpaceTimeMap(prog, system, "K", "(i,w -> i,-w)");
setSpaceTimeMap(prog, system, "best", "( -> N+1,0)");
setMemoryMap(prog, system, "K", "(i,w -> w)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
