# Blocks of rows in parallel, then blocks of columns in parallel.
# sizes: M=1,N=1 M=6,N=9 M=65,N=67
prog = ReadAlphabets("atax.ab");
system = "atax";

setSpaceTimeMap(prog, system, "tmp", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "y", "(j,i -> 1,j,i)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "", 1);
setTiling(prog, system, 1, 64);
setTiling(prog, system, 2, 64);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
