# Each product tiled, its blocks of columns in parallel; 6 x 8 sums are in registers over the innermost loop, in vectors
# along rows.
# sizes: NI=1,NJ=1,NK=1,NL=1 NI=5,NJ=7,NK=4,NL=3 NI=33,NJ=34,NK=9,NL=35
prog = ReadAlphabets("2mm.ab");
system = "2mm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_tmp", "(i,j,k -> 0,j,i,k)");
setSpaceTimeMap(prog, system, "tmp", "(i,j -> 0,j,i,NK)");
setSpaceTimeMap(prog, system, "NR_D", "(i,l,j -> 1,l,i,j)");
setSpaceTimeMap(prog, system, "D", "(i,l -> 1,l,i,NJ)");
setMemoryMap(prog, system, "NR_tmp", "tmp", "(i,j -> i,j)");
setMemoryMap(prog, system, "NR_D", "D", "(i,l -> i,l)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "", 1);
setTiling(prog, system, 1, 256);
setTiling(prog, system, 2, 96);
setTiling(prog, system, 3, 256);
setRegisterTile(prog, system, 1, 8);
setRegisterTile(prog, system, 2, 6);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
