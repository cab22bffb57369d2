# The entries of one antidiagonal at once, in vectors; three antidiagonals are kept.
# sizes: M=1,N=1 M=6,N=9 M=67,N=65
prog = ReadAlphabets("longest-common-subsequence.ab");
system = "longest_common_subsequence";

setSpaceTimeMap(prog, system, "L", "(i,j -> i+j,i)");
setSpaceTimeMap(prog, system, "length", "( -> M+N+1,0)");
setMemoryMap(prog, system, "L", "(i,j -> i+j,i)", "3,0");
setVectorDimension(prog, system, "", 1);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
