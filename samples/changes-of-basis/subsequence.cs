# The dates become the basis (ApplySTMap); then three antidiagonals are all the memory that there is.
# sizes: N=1,M=1 N=5,M=9 N=12,M=7
prog = ReadAlphabets("subsequence.ab");
system = "subsequence";
setSpaceTimeMap(prog, system, "F", "(i,j -> i+j,i)");
ApplySTMap(prog, system);
AShow(prog);

setSpaceTimeMap(prog, system, "F", "(t,p -> t,p)");
setSpaceTimeMap(prog, system, "length", "( -> N+M+1,0)");
setMemoryMap(prog, system, "F", "(t,p -> t,p)", "3,0");
setDimensionType(prog, system, "F, length", 1, "PARALLEL");
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
