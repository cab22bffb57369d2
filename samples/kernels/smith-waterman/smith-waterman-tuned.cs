# Three antidiagonals of memory; the entries of one at once, in vectors, each added to the best of its row.
# sizes: M=1,N=1 M=6,N=9 M=67,N=65
prog = ReadAlphabets("smith-waterman.ab");
system = "smith_waterman";

setSpaceTimeMap(prog, system, "H", "(i,j -> i+j,i,0)");
setSpaceTimeMap(prog, system, "best", "(i,j -> i+j,i,1)");
setSpaceTimeMap(prog, system, "score", "(i -> M+N+1,M+1,i)");
setMemoryMap(prog, system, "H", "(i,j -> i+j,i)", "3,0");
setVectorDimension(prog, system, "", 1);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
