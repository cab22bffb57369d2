# One pass over the matrix: two rows at a time are used for both products while they are in cache, in vectors. Rows in
# parallel; each thread collects a vector of its own for the result.
# The register tiles are legal because a row of tmp is summed up in one of them: the verdict says so.
# sizes: M=1,N=1 M=6,N=9 M=65,N=67
prog = ReadAlphabets("atax.ab");
system = "atax";

setSpaceTimeMap(prog, system, "tmp", "(i,j -> i,1,j)", "(i -> i,0,0)");
setSpaceTimeMap(prog, system, "y", "(j,i -> i,2,j)");
setReductionDimension(prog, system, "", 0);
setVectorDimension(prog, system, "", 2);
setRegisterTile(prog, system, 0, 2);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
