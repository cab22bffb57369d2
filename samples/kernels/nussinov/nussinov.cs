# Row by row, from below.
# sizes: N=1 N=8 N=70
prog = ReadAlphabets("nussinov.ab");
system = "nussinov";

setSpaceTimeMap(prog, system, "S", "(i,j -> -i,j)");
setSpaceTimeMap(prog, system, "pairs", "( -> 1,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
