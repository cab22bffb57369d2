# Each product as in BLAS: a block of the right factor is packed by all threads, then blocks of rows run in parallel, each
# with its block of the left factor packed; a block of sums is in registers over the innermost loop.
# sizes: NI=1,NJ=1,NK=1,NL=1 NI=5,NJ=7,NK=4,NL=3 NI=33,NJ=34,NK=9,NL=35
prog = ReadAlphabets("2mm.ab");
system = "2mm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_tmp", "(i,j,k -> 0,j,k,i)");
setSpaceTimeMap(prog, system, "tmp", "(i,j -> 0,j,NK,i)");
setSpaceTimeMap(prog, system, "NR_D", "(i,l,j -> 1,l,j,i)");
setSpaceTimeMap(prog, system, "D", "(i,l -> 1,l,NJ,i)");
setMemoryMap(prog, system, "NR_tmp", "tmp", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_D", "D", "(i,l -> i,l)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "", 3);
setTiling(prog, system, 1, 2016);
setTiling(prog, system, 2, 512);
setTiling(prog, system, 3, 72);
setRegisterTile(prog, system, 1, "auto");
setRegisterTile(prog, system, 3, "auto");
setPacking(prog, system, "NR_tmp", "A, B");
setPacking(prog, system, "NR_D", "tmp, C");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
