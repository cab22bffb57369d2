# Wrong: the factor 2 also folds the space dimension: points at distance 2 share a cell.
prog = ReadAlphabets("../../../../samples/kernels/jacobi-1d/jacobi-1d.ab");
system = "jacobi-1d";

setSpaceTimeMap(prog, system, "X", "(t,i -> t,i)");
setSpaceTimeMap(prog, system, "B", "(i -> T+1,i)");
setMemoryMap(prog, system, "X", "X", "(t,i -> t,i)", "2,2");

VerifyTargetMapping(prog, system, "MIN");
