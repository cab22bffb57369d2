# Sweep by sweep.
# sizes: W=3,H=3 W=9,H=8 W=33,H=35
prog = ReadAlphabets("deriche.ab");
system = "deriche";

setSpaceTimeMap(prog, system, "e", "( -> 0,0,0)");
setSpaceTimeMap(prog, system, "k", "( -> 0,1,0)");
setSpaceTimeMap(prog, system, "a1, a2, a3, a4, b1, b2", "( -> 0,2,0)");
setSpaceTimeMap(prog, system, "right", "(i,j -> 1,i,j)");
setSpaceTimeMap(prog, system, "left", "(i,j -> 2,i,-j)");
setSpaceTimeMap(prog, system, "rows", "(i,j -> 3,i,j)");
setSpaceTimeMap(prog, system, "down", "(i,j -> 4,i,j)");
setSpaceTimeMap(prog, system, "up", "(i,j -> 5,-i,j)");
setSpaceTimeMap(prog, system, "out", "(i,j -> 6,i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
