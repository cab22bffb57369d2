# Wrong: within a column the products come before the unknown that they need.
prog = ReadAlphabets("fs.ab");
system = "FS";

setSpaceTimeMap(prog, system, "x", "(i -> i,2,i)");
setSpaceTimeMap(prog, system, "SR_x", "(i,k -> k,1,i)");
setOrderingDimensions(prog, system, 1);
setParallel(prog, system, "", 2);
setMemoryMap(prog, system, "SR_x", "x", "(i,k -> i)");

VerifyTargetMapping(prog, system, "MIN");
