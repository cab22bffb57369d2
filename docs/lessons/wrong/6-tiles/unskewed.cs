# Wrong: tiles of a stencil that was not skewed.
prog = ReadAlphabets("../../../../samples/kernels/jacobi-1d/jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> 0,t,i)");
setSpaceTimeMap(prog, system, "B", "(i -> 1,0,i)");
setOrderingDimensions(prog, system, 0);
setTiling(prog, system, 1, 16);
setTiling(prog, system, 2, 16);

VerifyTargetMapping(prog, system, "MIN");
