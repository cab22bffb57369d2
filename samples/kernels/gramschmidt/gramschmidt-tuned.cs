# In the storage of Q: what is left of a column is there until the column is normalised. The columns behind it are in
# parallel, 16 at a time: their projections are in registers, in vectors along the rows, and then they are taken off.
# sizes: M=1,N=1 M=9,N=6 M=35,N=33
prog = ReadAlphabets("gramschmidt.ab");
system = "gramschmidt";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_norm", "(k,i -> k,0,0,i)");
setSpaceTimeMap(prog, system, "norm", "(k -> k,1,0,0)");
setSpaceTimeMap(prog, system, "Q", "(i,k -> k,2,0,i)");
setSpaceTimeMap(prog, system, "NR_R", "(k,j,i -> k,3,j,i)");
setSpaceTimeMap(prog, system, "R", "(k,j -> k,4,j,0)");
setSpaceTimeMap(prog, system, "V", "(k,i,j -> k-1,5,j,i)");
setMemoryMap(prog, system, "NR_norm, norm", "norm", "(k -> 0)");
setMemoryMap(prog, system, "NR_R", "R", "(k,j -> k,j)");
setMemoryMap(prog, system, "V", "Q", "(k,i,j -> i,j)");
setOrderingDimensions(prog, system, 1);
setParallel(prog, system, "", 2);
setRegisterTile(prog, system, 2, 16);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
