# Wrong: the statement ordering puts the copy before its source.
prog = ReadAlphabets("../../../../samples/matrix-product/mm.ab");
system = "MM";

setSpaceTimeMap(prog, system, "Acc_C", "(i,j,k -> i,j,k)");
setSpaceTimeMap(prog, system, "C", "(i,j -> i,j,Q)");
setStatementOrdering(prog, system, "C", "Acc_C");

VerifyTargetMapping(prog, system, "MIN");
