# Two passes over A, 8 rows at once, so that memory streams as many, and in vectors; what updates it is computed in both,
# so that B needs no memory. Rows in parallel; each thread collects a vector of its own for the transposed product.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("gemver.ab");
system = "gemver";
InlineAll(prog, system, "B");
RemoveUnusedVariables(prog);
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_x", "(i,j -> 0,j,1,i)");
setSpaceTimeMap(prog, system, "x", "(i -> 1,i,0,0)");
setSpaceTimeMap(prog, system, "NR_w", "(i,j -> 2,i,1,j)", "(i -> 2,i,0,0)");
setSpaceTimeMap(prog, system, "w", "(i -> 3,i,0,0)");
setMemoryMap(prog, system, "NR_x", "x", "(i -> i)");
setMemoryMap(prog, system, "NR_w", "w", "(i -> i)");
setOrderingDimensions(prog, system, 0);
setReductionDimension(prog, system, "0", 0);
setParallel(prog, system, "2", 0);
setVectorDimension(prog, system, "0", 2);
setVectorDimension(prog, system, "2", 2);
setRegisterTile(prog, system, "0", 0, 8);
setRegisterTile(prog, system, "2", 0, 8);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
