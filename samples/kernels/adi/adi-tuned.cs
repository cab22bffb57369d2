# One array for all U, which is u; one for all V; one that q and r use in turn. The columns, then the rows, in parallel.
# sizes: N=3,T=1 N=8,T=3 N=19,T=5
prog = ReadAlphabets("adi.ab");
system = "adi";

setSpaceTimeMap(prog, system, "f, g", "(i -> -1,0,0,0,i)");
setSpaceTimeMap(prog, system, "q", "(t,i,j -> t,0,j,0,i)");
setSpaceTimeMap(prog, system, "V", "(t,i,j -> t,0,j,1,-i)");
setSpaceTimeMap(prog, system, "r", "(t,i,j -> t,1,i,0,j)");
setSpaceTimeMap(prog, system, "U", "(t,i,j -> t,1,i,1,-j)");
setSpaceTimeMap(prog, system, "u", "(i,j -> T+1,0,i,0,j)");
setMemoryMap(prog, system, "q, r", "elimination", "(t,i,j -> i,j)");
setMemoryMap(prog, system, "V", "(t,i,j -> i,j)");
setMemoryMap(prog, system, "U", "u", "(t,i,j -> i,j)");
setParallel(prog, system, "", 2);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
