# Wrong: the sum and the result of another row lie in one cell.
prog = ReadAlphabets("../../../../samples/forward-substitution/fs.ab");
system = "FS";

setSpaceTimeMap(prog, system, "SR_x", "(i,k -> i,k)");
setSpaceTimeMap(prog, system, "x", "(i -> i,i)");
setMemoryMap(prog, system, "SR_x", "x", "(i,k -> k)");
setMemoryMap(prog, system, "x", "x", "(i -> i)");

VerifyTargetMapping(prog, system, "MIN");
