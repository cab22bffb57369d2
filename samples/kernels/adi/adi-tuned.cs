# U and r use u in turn, and q and V one array more. Blocks of 16 columns, then blocks of 16 rows, in parallel: a block is
# eliminated line by line together, which is in vectors along the rows of what columns need.
# sizes: N=3,T=1 N=8,T=3 N=19,T=5
prog = ReadAlphabets("adi.ab");
system = "adi";

setSpaceTimeMap(prog, system, "f, g", "(i -> -1,0,0,i)");
setSpaceTimeMap(prog, system, "q", "(t,i,j -> t,0,j,i)");
setSpaceTimeMap(prog, system, "V", "(t,i,j -> t,1,j,-i)");
setSpaceTimeMap(prog, system, "r", "(t,i,j -> t,2,i,j)");
setSpaceTimeMap(prog, system, "U", "(t,i,j -> t,3,i,-j)");
setSpaceTimeMap(prog, system, "u", "(i,j -> T+1,0,i,j)");
setMemoryMap(prog, system, "U, r", "u", "(t,i,j -> i,j)");
setMemoryMap(prog, system, "V, q", "q", "(t,i,j -> i,j)");
setOrderingDimensions(prog, system, 1);
setParallel(prog, system, "", 2);
setRegisterTile(prog, system, 2, 16);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
