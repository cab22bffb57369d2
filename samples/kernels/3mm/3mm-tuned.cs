# Each product as in BLAS: a block of the right factor is packed by all threads, then blocks of rows run in parallel, each
# with its block of the left factor packed; a block of sums is in registers over the innermost loop.
# sizes: NI=1,NJ=1,NK=1,NL=1,NM=1 NI=5,NJ=7,NK=4,NL=3,NM=6 NI=33,NJ=34,NK=9,NL=35,NM=11
prog = ReadAlphabets("3mm.ab");
system = "3mm";

setSpaceTimeMap(prog, system, "E", "(i,j,k -> 0,j,k,i)");
setSpaceTimeMap(prog, system, "F", "(j,l,m -> 1,l,m,j)");
setSpaceTimeMap(prog, system, "G", "(i,l,j -> 2,l,j,i)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "", 3);
setTiling(prog, system, 1, 2016);
setTiling(prog, system, 2, 512);
setTiling(prog, system, 3, 72);
setRegisterTile(prog, system, 1, "auto");
setRegisterTile(prog, system, 3, "auto");
setPacking(prog, system, "E", "A, B");
setPacking(prog, system, "F", "C, D");
setPacking(prog, system, "G", "E, F");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
