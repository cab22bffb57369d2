# One step: each rank gets the sum of the ranks before it, then adds its own values.
# sizes: N=1 N=9
prog = ReadAlphabets("prefix-sum.ab");
setSpaceTimeMap(prog, "prefix_sum", "P", "(i -> i)");
setDistributed(prog, "prefix_sum", "", 0, "block");
setTarget(prog, "prefix_sum", "mpi");
generateScheduledCode(prog, "prefix_sum");
generateWrapper(prog, "prefix_sum");
generateMakefile(prog, "prefix_sum");
