# Skewed by one and tiled in time and space, the tiles of a diagonal in parallel; two sweeps are kept.
# sizes: T=1,N=3 T=9,N=12 T=20,N=33
prog = ReadAlphabets("relaxation.ab");
system = "relaxation";
CoB(prog, system, "X", "(t,i -> t,t+i)");

setSpaceTimeMap(prog, system, "X", "(t,i -> t,i)");
setSpaceTimeMap(prog, system, "R", "(i -> T,T+i)");
setStatementOrdering(prog, system, "X", "R");
setTiling(prog, system, 0, 4);
setTiling(prog, system, 1, 8);
setTilingType(prog, system, "omp");
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
