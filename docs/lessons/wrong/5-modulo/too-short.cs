# Wrong: two cells for a row whose points are all read later.
prog = ReadAlphabets("../../../../samples/forward-substitution/fs.ab");
system = "FS";

setSpaceTimeMap(prog, system, "SR_x", "(i,k -> i,k)");
setSpaceTimeMap(prog, system, "x", "(i -> i,i)");
setMemoryMap(prog, system, "x", "x", "(i -> i)", "2");

VerifyTargetMapping(prog, system, "MIN");
