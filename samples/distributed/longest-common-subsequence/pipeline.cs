# A pipeline: a rank has columns, and gets the value left of them before it computes its part of a row.
# sizes: N=1 N=9
# values: 3
prog = ReadAlphabets("lcs.ab");
setSpaceTimeMap(prog, "lcs", "C", "(i,j -> i,j)");
setSpaceTimeMap(prog, "lcs", "R", "(j -> N+1,j)");
setDistributed(prog, "lcs", "", 1, "block");
setMemoryMap(prog, "lcs", "C", "(i,j -> i,j)", "2,0");
setTarget(prog, "lcs", "mpi");
generateScheduledCode(prog, "lcs");
generateWrapper(prog, "lcs");
generateMakefile(prog, "lcs");
