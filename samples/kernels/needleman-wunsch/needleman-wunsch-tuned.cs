# The entries of one antidiagonal at once, in vectors. Three antidiagonals of D are kept, and one number of P for each
# column, of Q for each row: an entry of P is read only by D at once and by the next P of its column, which takes its cell.
# sizes: M=1,N=1 M=6,N=9 M=67,N=65
prog = ReadAlphabets("needleman-wunsch.ab");
system = "needleman_wunsch";

setSpaceTimeMap(prog, system, "P, Q", "(i,j -> i+j,i,0)");
setSpaceTimeMap(prog, system, "D", "(i,j -> i+j,i,1)");
setSpaceTimeMap(prog, system, "score", "( -> M+N+1,0,0)");
setMemoryMap(prog, system, "P", "(i,j -> j)");
setMemoryMap(prog, system, "Q", "(i,j -> i)");
setMemoryMap(prog, system, "D", "(i,j -> i+j,i)", "3,0");
setVectorDimension(prog, system, "", 1);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
