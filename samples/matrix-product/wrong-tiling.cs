# Wrong: C reads the whole sum, but its tile may come before the last tile of the sum.
prog = ReadAlphabets("mm.ab");
system = "MM";

setSpaceTimeMap(prog, system, "Acc_C", "(i,j,k -> k,i,j)");
setSpaceTimeMap(prog, system, "C", "(i,j -> Q+1,i-1,j)");
setTiling(prog, system, 0, 30);
setTiling(prog, system, 1, 30);
setTiling(prog, system, 2, 30);

VerifyTargetMapping(prog, system, "MIN");
