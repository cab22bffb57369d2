# Each rank adds up its own values, MPI_Exscan adds up those of the ranks before it: no rank waits for another one.
# sizes: N=1 N=9
prog = ReadAlphabets("prefix-sum.ab");
setSpaceTimeMap(prog, "prefix_sum", "P", "(i -> i)");
setDistributed(prog, "prefix_sum", "", 0, "block");
setCommunication(prog, "prefix_sum", "scan");
setTarget(prog, "prefix_sum", "mpi");
generateScheduledCode(prog, "prefix_sum");
generateWrapper(prog, "prefix_sum");
generateMakefile(prog, "prefix_sum");
