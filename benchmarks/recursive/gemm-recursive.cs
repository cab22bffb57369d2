# The product in recursive tiles: no size but that of a tile, which its registers want.
prog = ReadAlphabets("../../samples/kernels/gemm/gemm.ab");
system = "gemm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> i,j,k)");
setSpaceTimeMap(prog, system, "C", "(i,j -> i,j,NK)");
setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");
setTiling(prog, system, 0, 72);
setTiling(prog, system, 1, 96);
setTiling(prog, system, 2, 96);
setTilingType(prog, system, "recursive");
setRegisterTile(prog, system, 0, "auto");
setRegisterTile(prog, system, 1, "auto");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
