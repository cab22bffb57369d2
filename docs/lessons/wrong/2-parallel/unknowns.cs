# Wrong: the unknowns of a triangular system are computed in parallel.
prog = ReadAlphabets("../../../../samples/forward-substitution/fs.ab");
system = "FS";

setSpaceTimeMap(prog, system, "SR_x", "(i,k -> i,k)");
setSpaceTimeMap(prog, system, "x", "(i -> i,i)");
setParallel(prog, system, "", "0");

VerifyTargetMapping(prog, system, "MIN");
