# One pass over the matrix: each row gives its part of both products, in vectors; 8 rows at once, so that memory streams
# as many. Rows in parallel; each thread collects a vector of its own for the transposed product.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("mvt.ab");
system = "mvt";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_x1", "(i,j -> 0,i,1,j)", "(i -> 0,i,0,0)");
setSpaceTimeMap(prog, system, "NR_x2", "(i,j -> 0,j,1,i)");
setSpaceTimeMap(prog, system, "x1, x2", "(i -> 1,i,0,0)");
setMemoryMap(prog, system, "NR_x1", "x1", "(i -> i)");
setMemoryMap(prog, system, "NR_x2", "x2", "(i -> i)");
setOrderingDimensions(prog, system, 0);
setReductionDimension(prog, system, "0", 0);
setVectorDimension(prog, system, "0", 2);
setRegisterTile(prog, system, "0", 0, 8);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
