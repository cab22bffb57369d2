# One product, then the other.
# sizes: NI=1,NJ=1,NK=1,NL=1 NI=5,NJ=7,NK=4,NL=3 NI=33,NJ=34,NK=9,NL=35
prog = ReadAlphabets("2mm.ab");
system = "2mm";

setSpaceTimeMap(prog, system, "tmp", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "D", "(i,l -> 1,i,l)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
