# Found by `alphaz schedule nussinov.ab --target mpi`: in each step a diagonal, whose columns are on the ranks, which
# combine their maxima.
# sizes: N=2 N=8
# values: 3
prog = ReadAlphabets("nussinov.ab");
NormalizeReduction(prog);
setSpaceTimeMap(prog, "nussinov", "S", "(i,j -> 0,j-i,1,j,i,N)");
setSpaceTimeMap(prog, "nussinov", "NR_S", "(i,j,k -> 0,j-i,0,k,i,k)");
setSpaceTimeMap(prog, "nussinov", "pairs", "( -> 1,0,0,N-1,0,0)");
setOrderingDimensions(prog, "nussinov", "0,2");
setReductionDimension(prog, "nussinov", "", "3");
setDistributed(prog, "nussinov", "", 3, "block");
setTarget(prog, "nussinov", "mpi");
generateScheduledCode(prog, "nussinov");
generateWrapper(prog, "nussinov");
generateMakefile(prog, "nussinov");
