# A wavefront of tiles: a rank has columns, and gets 16 values left of them before it computes its part of 16 rows.
# sizes: N=1 N=40
# values: 3
prog = ReadAlphabets("lcs.ab");
setSpaceTimeMap(prog, "lcs", "C", "(i,j -> i,j)");
setSpaceTimeMap(prog, "lcs", "R", "(j -> N+1,j)");
setBandForTiling(prog, "lcs", "tiles", 0, 1, "16,8");
setDistributed(prog, "lcs", "", 1, "block");
setMemoryMap(prog, "lcs", "C", "(i,j -> i,j)", "17,0");
setTarget(prog, "lcs", "mpi");
generateScheduledCode(prog, "lcs");
generateWrapper(prog, "lcs");
generateMakefile(prog, "lcs");
