# One pass over the matrix: each row is used for both products while it is in cache, in vectors. Rows in parallel; each
# thread collects a vector of its own for the result.
# sizes: M=1,N=1 M=6,N=9 M=65,N=67
prog = ReadAlphabets("atax.ab");
system = "atax";

setSpaceTimeMap(prog, system, "tmp", "(i,j -> i,0,j)");
setSpaceTimeMap(prog, system, "y", "(j,i -> i,1,j)");
setOrderingDimensions(prog, system, 1);
setReductionDimension(prog, system, "", 0);
setVectorDimension(prog, system, "", 2);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
