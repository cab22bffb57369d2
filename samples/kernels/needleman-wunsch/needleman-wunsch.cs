# Row by row.
# sizes: M=1,N=1 M=6,N=9 M=67,N=65
prog = ReadAlphabets("needleman-wunsch.ab");
system = "needleman_wunsch";

setSpaceTimeMap(prog, system, "P, Q", "(i,j -> i,j,0)");
setSpaceTimeMap(prog, system, "D", "(i,j -> i,j,1)");
setSpaceTimeMap(prog, system, "score", "( -> M+1,0,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
