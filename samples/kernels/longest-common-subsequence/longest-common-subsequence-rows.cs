# Row by row, with two rows of memory. One row is not enough: L[i-1,j-1] is needed when L[i,j-1] has taken its cell.
# sizes: M=1,N=1 M=6,N=9 M=67,N=65
prog = ReadAlphabets("longest-common-subsequence.ab");
system = "longest_common_subsequence";

setSpaceTimeMap(prog, system, "L", "(i,j -> i,j)");
setSpaceTimeMap(prog, system, "length", "( -> M+1,0)");
setMemoryMap(prog, system, "L", "(i,j -> i,j)", "2,0");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
