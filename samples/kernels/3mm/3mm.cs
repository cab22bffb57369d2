# Product by product.
# sizes: NI=1,NJ=1,NK=1,NL=1,NM=1 NI=5,NJ=7,NK=4,NL=3,NM=6 NI=33,NJ=34,NK=9,NL=35,NM=11
prog = ReadAlphabets("3mm.ab");
system = "3mm";

setSpaceTimeMap(prog, system, "E", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "F", "(j,l -> 1,j,l)");
setSpaceTimeMap(prog, system, "G", "(i,l -> 2,i,l)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
