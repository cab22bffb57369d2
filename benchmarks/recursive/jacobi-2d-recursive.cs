# The tuned mapping, its tiles recursive: time and rows are halved.
prog = ReadAlphabets("../../samples/kernels/jacobi-2d/jacobi-2d.ab");
system = "jacobi-2d";

setSpaceTimeMap(prog, system, "X", "(t,i,j -> t,t+i,j)");
setSpaceTimeMap(prog, system, "B", "(i,j -> T+1,T+1+i,j)");
setMemoryMap(prog, system, "X", "(t,i,j -> i-t,j)");
setTiling(prog, system, 0, 16);
setTiling(prog, system, 1, 16);
setTilingType(prog, system, "recursive");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
