# Wrong: the sweeps of a stencil run in parallel.
prog = ReadAlphabets("../../../../samples/kernels/jacobi-1d/jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> t,i)");
setSpaceTimeMap(prog, system, "B", "(i -> T+1,i)");
setParallel(prog, system, "", "0");

VerifyTargetMapping(prog, system, "MIN");
