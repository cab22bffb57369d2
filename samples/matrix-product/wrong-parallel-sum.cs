# Wrong: the running sum is split over threads.
prog = ReadAlphabets("mm.ab");
system = "MM";
CheckProgram(prog);

setSpaceTimeMap(prog, system, "Acc_C", "(i,j,k -> i,k,j)");
setSpaceTimeMap(prog, system, "C", "(i,j -> i,Q+1,j)");
setParallel(prog, system, "", "1");
setMemoryMap(prog, system, "Acc_C", "C", "(i,j,k -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
