# Two vectors for y and one number each for alpha, beta and the sum; the entries of one vector in parallel.
# One vector is not enough: y[k,i] and y[k,k-1-i] both read what the other one overwrites.
# sizes: N=1 N=8 N=65
prog = ReadAlphabets("durbin.ab");
system = "durbin";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "beta", "(k -> k,0,0)");
setSpaceTimeMap(prog, system, "NR_alpha", "(k,i -> k,1,i)");
setSpaceTimeMap(prog, system, "alpha", "(k -> k,2,0)");
setSpaceTimeMap(prog, system, "y", "(k,i -> k,3,i)");
setSpaceTimeMap(prog, system, "x", "(i -> N,0,i)");
setMemoryMap(prog, system, "beta", "(k -> 0)");
setMemoryMap(prog, system, "NR_alpha", "alpha", "(k -> 0)");
setMemoryMap(prog, system, "alpha", "(k -> 0)");
setMemoryMap(prog, system, "y", "(k,i -> k,i)", "2,0");
setOrderingDimensions(prog, system, 1);
setDimensionType(prog, system, "y", 2, "PARALLEL");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
