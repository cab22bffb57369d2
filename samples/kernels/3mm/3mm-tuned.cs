# Each product tiled, its blocks of columns in parallel; 6 x 8 sums are in registers over the innermost loop, in vectors
# along rows.
# sizes: NI=1,NJ=1,NK=1,NL=1,NM=1 NI=5,NJ=7,NK=4,NL=3,NM=6 NI=33,NJ=34,NK=9,NL=35,NM=11
prog = ReadAlphabets("3mm.ab");
system = "3mm";

setSpaceTimeMap(prog, system, "E", "(i,j,k -> 0,j,i,k)");
setSpaceTimeMap(prog, system, "F", "(j,l,m -> 1,l,j,m)");
setSpaceTimeMap(prog, system, "G", "(i,l,j -> 2,l,i,j)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "", 1);
setTiling(prog, system, 1, 256);
setTiling(prog, system, 2, 96);
setTiling(prog, system, 3, 256);
setRegisterTile(prog, system, 1, 8);
setRegisterTile(prog, system, 2, 6);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
