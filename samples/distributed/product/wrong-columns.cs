# Wrong: several ranks contribute to an element of C, and nothing combines their parts.
prog = ReadAlphabets("product.ab");
setSpaceTimeMap(prog, "product", "C", "(i,j,k -> k,i,j)");
setDistributed(prog, "product", "", 0, "block");
VerifyTargetMapping(prog, "product", "MIN");
