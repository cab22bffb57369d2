# The reduction inside the case is evaluated whole, for all subchains of one length in parallel.
# sizes: N=2 N=9 N=24
prog = ReadAlphabets("mcm-reduce.ab");
system = "MCM_reduce";

setSpaceTimeMap(prog, system, "pM", "(i,j -> j-i,i)");
setSpaceTimeMap(prog, system, "min_cost", "( -> N,0)");
setParallel(prog, system, "", 1);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
