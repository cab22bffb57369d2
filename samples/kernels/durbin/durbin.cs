# Order by order.
# sizes: N=1 N=8 N=65
prog = ReadAlphabets("durbin.ab");
system = "durbin";

setSpaceTimeMap(prog, system, "beta", "(k -> k,0,0)");
setSpaceTimeMap(prog, system, "alpha", "(k -> k,1,0)");
setSpaceTimeMap(prog, system, "y", "(k,i -> k,2,i)");
setSpaceTimeMap(prog, system, "x", "(i -> N,0,i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
