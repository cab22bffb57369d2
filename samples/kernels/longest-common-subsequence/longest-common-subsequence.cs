# Row by row.
# sizes: M=1,N=1 M=6,N=9 M=67,N=65
prog = ReadAlphabets("longest-common-subsequence.ab");
system = "longest_common_subsequence";

setSpaceTimeMap(prog, system, "L", "(i,j -> i,j)");
setSpaceTimeMap(prog, system, "length", "( -> M+1,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
