# Wrong: the skew is half of what the neighbours need, and to the wrong side.
prog = ReadAlphabets("../../../../samples/kernels/jacobi-1d/jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> 0,t,i-t)");
setSpaceTimeMap(prog, system, "B", "(i -> 1,0,i)");
setOrderingDimensions(prog, system, 0);
setTiling(prog, system, 1, 16);
setTiling(prog, system, 2, 16);

VerifyTargetMapping(prog, system, "MIN");
