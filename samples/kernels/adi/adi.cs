# Sweep by sweep.
# sizes: N=3,T=1 N=8,T=3 N=19,T=5
prog = ReadAlphabets("adi.ab");
system = "adi";

setSpaceTimeMap(prog, system, "f, g", "(i -> 0,0,i,0)");
setSpaceTimeMap(prog, system, "q", "(t,i,j -> t,0,i,j)");
setSpaceTimeMap(prog, system, "V", "(t,i,j -> t,1,-i,j)");
setSpaceTimeMap(prog, system, "r", "(t,i,j -> t,2,i,j)");
setSpaceTimeMap(prog, system, "U", "(t,i,j -> t,3,i,-j)");
setSpaceTimeMap(prog, system, "u", "(i,j -> T+1,0,i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
