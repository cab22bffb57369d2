# Wrong: all points of a sweep have one date.
prog = ReadAlphabets("../../../../samples/kernels/jacobi-1d/jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> t)");
setSpaceTimeMap(prog, system, "B", "(i -> T+1)");

VerifyTargetMapping(prog, system, "MIN");
