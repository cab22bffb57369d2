# All r in parallel. The product of each is that of BLAS, its sums in the cells of B: C4 and the rows of A are packed,
# and a block of sums is in registers over the innermost loop.
# sizes: R=1,Q=1,P=1 R=3,Q=4,P=5 R=7,Q=5,P=33
prog = ReadAlphabets("doitgen.ab");
system = "doitgen";

setSpaceTimeMap(prog, system, "sum", "(r,q,p,s -> r,p,s,q)");
setMemorySpace(prog, system, "sum", "B");
setParallel(prog, system, "", 0);
setTiling(prog, system, 1, 256);
setTiling(prog, system, 2, 256);
setTiling(prog, system, 3, 144);
setRegisterTile(prog, system, 1, "auto");
setRegisterTile(prog, system, 3, "auto");
setPacking(prog, system, "sum", "A, C4");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
