# Wrong: the sum and the unknown that needs it have one date, and nothing orders them.
prog = ReadAlphabets("../../../../samples/forward-substitution/fs.ab");
system = "FS";

setSpaceTimeMap(prog, system, "SR_x", "(i,k -> i,k)");
setSpaceTimeMap(prog, system, "x", "(i -> i,i-1)");

VerifyTargetMapping(prog, system, "MIN");
