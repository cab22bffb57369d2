# Two reductions in each step: ranks combine their sums and their maxima, and all have the results.
# sizes: N=1,T=1 N=9,T=4
prog = ReadAlphabets("norm.ab");
setSpaceTimeMap(prog, "norm", "X", "(t,i -> 2t,i)");
setSpaceTimeMap(prog, "norm", "s, M", "(t,i -> 2t+1,i)");
setDistributed(prog, "norm", "", 1, "block");
setReductionDimension(prog, "norm", "", "1");
setMemoryMap(prog, "norm", "X", "(t,i -> i)");
setTarget(prog, "norm", "mpi");
generateScheduledCode(prog, "norm");
generateWrapper(prog, "norm");
generateMakefile(prog, "norm");
