# Wrong: the sweeps are the inner loop: a point needs its neighbours of the previous sweep.
prog = ReadAlphabets("../../../../samples/kernels/jacobi-1d/jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> i,t)");
setSpaceTimeMap(prog, system, "B", "(i -> N,i)");

VerifyTargetMapping(prog, system, "MIN");
