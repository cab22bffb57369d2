# Blocks of columns in parallel, then blocks of rows in parallel.
# sizes: M=1,N=1 M=6,N=9 M=65,N=67
prog = ReadAlphabets("bicg.ab");
system = "bicg";

setSpaceTimeMap(prog, system, "s", "(j,i -> 0,j,i)");
setSpaceTimeMap(prog, system, "q", "(i,j -> 1,i,j)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "", 1);
setTiling(prog, system, 1, 64);
setTiling(prog, system, 2, 64);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
