# A rank has rows of A and C, and all of B; its threads share tiles, whose sizes are parameters.
# sizes: N=1 N=7
prog = ReadAlphabets("product.ab");
setSpaceTimeMap(prog, "product", "C", "(i,j,k -> i,k,j)");
setBandForTiling(prog, "product", "tiles", 0, 2);
setParallel(prog, "product", "", "0");
setDistributed(prog, "product", "", 0, "block");
setTarget(prog, "product", "mpi-openmp");
generateScheduledCode(prog, "product");
generateWrapper(prog, "product");
generateMakefile(prog, "product");
