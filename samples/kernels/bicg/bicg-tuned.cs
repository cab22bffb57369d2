# One pass over the matrix: each row gives its part of both products, in vectors; 8 rows at once, so that memory streams
# as many. Rows in parallel; each thread collects a vector of its own for the transposed product.
# sizes: M=1,N=1 M=6,N=9 M=65,N=67
prog = ReadAlphabets("bicg.ab");
system = "bicg";

setSpaceTimeMap(prog, system, "q", "(i,j -> i,1,j)", "(i -> i,0,0)");
setSpaceTimeMap(prog, system, "s", "(j,i -> i,1,j)");
setReductionDimension(prog, system, "", 0);
setVectorDimension(prog, system, "", 2);
setRegisterTile(prog, system, 0, 8);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
