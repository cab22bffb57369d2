# Wrong: the products of a column come before its unknown.
prog = ReadAlphabets("../../../../samples/forward-substitution/fs.ab");
system = "FS";

setSpaceTimeMap(prog, system, "SR_x", "(i,k -> k,i)");
setSpaceTimeMap(prog, system, "x", "(i -> i,2i)");

VerifyTargetMapping(prog, system, "MIN");
