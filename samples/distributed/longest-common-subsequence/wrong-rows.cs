# Wrong: too few rows for steps of 16: the first one of a step is overwritten before it is sent.
prog = ReadAlphabets("lcs.ab");
setSpaceTimeMap(prog, "lcs", "C", "(i,j -> i,j)");
setSpaceTimeMap(prog, "lcs", "R", "(j -> N+1,j)");
setBandForTiling(prog, "lcs", "tiles", 0, 1, "16,8");
setDistributed(prog, "lcs", "", 1, "block");
setMemoryMap(prog, "lcs", "C", "(i,j -> i,j)", "16,0");
