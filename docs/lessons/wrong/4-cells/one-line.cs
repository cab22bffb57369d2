# Wrong: one row of cells for all sweeps: a neighbour still needs the value of the previous sweep.
prog = ReadAlphabets("../../../../samples/kernels/jacobi-1d/jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> t,i)");
setSpaceTimeMap(prog, system, "B", "(i -> T+1,i)");
setMemoryMap(prog, system, "X", "X", "(t,i -> i)");

VerifyTargetMapping(prog, system, "MIN");
