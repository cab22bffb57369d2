# The tuned mapping, its tiles recursive; no size but that of a tile, which its registers want.
prog = ReadAlphabets("../../samples/kernels/lu/lu.ab");
system = "lu";

setSpaceTimeMap(prog, system, "S", "(i,j,k -> j,i,k)");
setSpaceTimeMap(prog, system, "L", "(i,j -> j,i,j)");
setSpaceTimeMap(prog, system, "U", "(i,j -> j,i,i)");
setSpaceTimeMap(prog, system, "LU", "(i,j -> j+N,i+N,N)");
setMemoryMap(prog, system, "S, L, U", "LU", "(i,j -> i,j)");
setTiling(prog, system, 0, 144);
setTiling(prog, system, 1, 144);
setTiling(prog, system, 2, 144);
setRegisterTile(prog, system, 0, "auto");
setRegisterTile(prog, system, 1, "auto");
setTilingType(prog, system, "recursive");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
