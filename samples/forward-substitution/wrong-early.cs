# Wrong: x[i] is computed before its sum.
prog = ReadAlphabets("fs.ab");
system = "FS";

setSpaceTimeMap(prog, system, "SR_x", "(i,k -> i,k)");
setSpaceTimeMap(prog, system, "x", "(i -> i,0)");
setMemoryMap(prog, system, "SR_x", "x", "(i,k -> i)");

VerifyTargetMapping(prog, system, "MIN");
