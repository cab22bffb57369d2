# A rank has columns of A and rows of B, and contributes to all of C: ranks add their parts.
# sizes: N=1 N=7
prog = ReadAlphabets("product.ab");
setSpaceTimeMap(prog, "product", "C", "(i,j,k -> k,i,j)");
setDistributed(prog, "product", "", 0, "block");
setReductionDimension(prog, "product", "", "0");
setTarget(prog, "product", "mpi");
generateScheduledCode(prog, "product");
generateWrapper(prog, "product");
generateMakefile(prog, "product");
