# One pass over the matrix: each row gives its part of both products, in vectors. Rows in parallel; each thread collects
# a vector of its own for the transposed product.
# sizes: M=1,N=1 M=6,N=9 M=65,N=67
prog = ReadAlphabets("bicg.ab");
system = "bicg";

setSpaceTimeMap(prog, system, "q", "(i,j -> i,j)");
setSpaceTimeMap(prog, system, "s", "(j,i -> i,j)");
setReductionDimension(prog, system, "", 0);
setVectorDimension(prog, system, "", 1);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
