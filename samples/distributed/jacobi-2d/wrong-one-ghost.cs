# Wrong: the lines of both neighbours have the same ghosts.
prog = ReadAlphabets("jacobi-2d.ab");
setSpaceTimeMap(prog, "jacobi_2d", "X", "(t,i,j -> t,i,j)");
setSpaceTimeMap(prog, "jacobi_2d", "B", "(i,j -> T+1,i,j)");
setDistributed(prog, "jacobi_2d", "", 1, "block");
setMemoryMap(prog, "jacobi_2d", "X", "(t,i,j -> t,i,j)", "2,0,0");
setGhostMap(prog, "jacobi_2d", "X", "(t,i,j -> j)");
VerifyTargetMapping(prog, "jacobi_2d", "MIN");
