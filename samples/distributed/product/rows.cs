# A rank has rows of A and C, and all of B.
# sizes: N=1 N=7
prog = ReadAlphabets("product.ab");
setSpaceTimeMap(prog, "product", "C", "(i,j,k -> i,k,j)");
setDistributed(prog, "product", "", 0, "block");
setTarget(prog, "product", "mpi");
generateScheduledCode(prog, "product");
generateWrapper(prog, "product");
generateMakefile(prog, "product");
