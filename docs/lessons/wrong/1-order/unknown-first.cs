# Wrong: each unknown comes before the sum that it needs.
prog = ReadAlphabets("../../../../samples/forward-substitution/fs.ab");
system = "FS";

setSpaceTimeMap(prog, system, "SR_x", "(i,k -> 1,i,k)");
setSpaceTimeMap(prog, system, "x", "(i -> 0,i,0)");

VerifyTargetMapping(prog, system, "MIN");
