# Row by row.
# sizes: M=1,N=1 M=6,N=9 M=67,N=65
prog = ReadAlphabets("smith-waterman.ab");
system = "smith_waterman";

setSpaceTimeMap(prog, system, "H", "(i,j -> 0,i,j)");
setSpaceTimeMap(prog, system, "best", "(i -> 1,i,0)");
setSpaceTimeMap(prog, system, "score", "( -> 2,0,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
