# Each product tiled, its blocks of rows in parallel; sums are accumulated in the cells of their results.
# sizes: NI=1,NJ=1,NK=1,NL=1 NI=5,NJ=7,NK=4,NL=3 NI=33,NJ=34,NK=9,NL=35
prog = ReadAlphabets("2mm.ab");
system = "2mm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_tmp", "(i,j,k -> 0,i,k,j)");
setSpaceTimeMap(prog, system, "tmp", "(i,j -> 0,i,NK,j)");
setSpaceTimeMap(prog, system, "NR_D", "(i,l,j -> 1,i,j,l)");
setSpaceTimeMap(prog, system, "D", "(i,l -> 1,i,NJ,l)");
setMemoryMap(prog, system, "NR_tmp", "tmp", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_D", "D", "(i,l -> i,l)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "", 1);
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 32);
setTiling(prog, system, 3, 128);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
