# Wrong: in dimension 1 a result has an earlier date than the sums that it needs.
prog = ReadAlphabets("../../../../samples/matrix-product/mm.ab");
system = "MM";

setSpaceTimeMap(prog, system, "Acc_C", "(i,j,k -> k,i,j)");
setSpaceTimeMap(prog, system, "C", "(i,j -> Q+1,i-1,j)");
setTiling(prog, system, 0, 8);
setTiling(prog, system, 1, 8);
setTiling(prog, system, 2, 8);

VerifyTargetMapping(prog, system, "MIN");
