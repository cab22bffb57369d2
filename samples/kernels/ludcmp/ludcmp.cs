# The factors row by row, then y forwards, then x backwards.
# sizes: N=1 N=7 N=157
prog = ReadAlphabets("ludcmp.ab");
system = "ludcmp";

setSpaceTimeMap(prog, system, "S", "(i,j -> 0,i,j,0)");
setSpaceTimeMap(prog, system, "L, U", "(i,j -> 0,i,j,1)");
setSpaceTimeMap(prog, system, "y", "(i -> 1,i,0,0)");
setSpaceTimeMap(prog, system, "x", "(i -> 2,-i,0,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
