# Each product mapped at its body, tiled, its blocks of rows in parallel.
# sizes: NI=1,NJ=1,NK=1,NL=1,NM=1 NI=5,NJ=7,NK=4,NL=3,NM=6 NI=33,NJ=34,NK=9,NL=35,NM=11
prog = ReadAlphabets("3mm.ab");
system = "3mm";

setSpaceTimeMap(prog, system, "E", "(i,j,k -> 0,i,k,j)");
setSpaceTimeMap(prog, system, "F", "(j,l,m -> 1,j,m,l)");
setSpaceTimeMap(prog, system, "G", "(i,l,j -> 2,i,j,l)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "", 1);
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 32);
setTiling(prog, system, 3, 128);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
