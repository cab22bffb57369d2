# By blocks of 48 columns (gramschmidt-blocks.ab), in the storage of Q and R: what is left of a column is in Q until the
# column is normalised. Each block is done column by column; then its projections, and what they take off the columns
# behind it, are two products, tiled, with blocks of 96 columns in parallel, operands packed and a block of sums in registers.
# sizes: M=1,N=1 M=9,N=6 M=107,N=101
prog = ReadAlphabets("gramschmidt-blocks.ab");
system = "gramschmidt";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "NR_W", "(b,i,j,k -> b,0,0,0,j,k,i,0,0)");
setSpaceTimeMap(prog, system, "W", "(b,i,j -> b,0,0,0,j,48b,i,0,0)");
setSpaceTimeMap(prog, system, "NR_norm", "(b,k,i -> b,1,k,0,0,0,0,i,0)");
setSpaceTimeMap(prog, system, "norm", "(b,k -> b,1,k,1,0,0,0,0,0)");
setSpaceTimeMap(prog, system, "Q", "(i,k,b -> b,1,k,2,0,0,0,i,0)");
setSpaceTimeMap(prog, system, "S", "(b,k,j,i -> b,1,k,3,0,0,0,i,j)");
setSpaceTimeMap(prog, system, "V", "(b,k,i,j -> b,1,k-1,4,0,0,0,i,j)");
setSpaceTimeMap(prog, system, "P", "(b,k,j,i -> b,2,0,0,j,i,k,0,0)");
setSpaceTimeMap(prog, system, "R", "(k,j,b -> N,3,0,0,0,0,0,k,j)");
setMemoryMap(prog, system, "NR_W", "taken", "(b,i,j -> i,j)");
setMemoryMap(prog, system, "W", "Q", "(b,i,j -> i,j)");
setMemoryMap(prog, system, "V", "Q", "(b,k,i,j -> i,j)");
setMemoryMap(prog, system, "NR_norm, norm", "norm", "(b,k -> k)");
setMemoryMap(prog, system, "S, P", "R", "(b,k,j -> k,j)");
setOrderingDimensions(prog, system, 1);
setOrderingDimensions(prog, system, 3);
setDimensionType(prog, system, "NR_W, W, P", 4, "P");
setTiling(prog, system, 4, 96);
setTiling(prog, system, 5, 240);
setTiling(prog, system, 6, 72);
setRegisterTile(prog, system, 4, "auto");
setRegisterTile(prog, system, 6, "auto");
setPacking(prog, system, "NR_W", "Q, P");
setPacking(prog, system, "P", "Q, W");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
