# In place: the rows of B take the cells of the rows of B0, from the top, since a row reads only those below it.
# The columns are independent of each other, and parallel; each keeps one sum.
# sizes: M=2,N=1 M=6,N=9 M=35,N=33
prog = ReadAlphabets("trmm.ab");
system = "trmm";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_B", "(i,j,k -> j,i,k)");
setSpaceTimeMap(prog, system, "B", "(i,j -> j,i,M)");
setMemoryMap(prog, system, "NR_B", "sums", "(i,j -> j)");
setMemoryMap(prog, system, "B0", "B", "(k,j -> k,j)");
setParallel(prog, system, "", 0);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
