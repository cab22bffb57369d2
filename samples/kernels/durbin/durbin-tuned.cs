# Two vectors for y and one number each for alpha, beta and the sum. As soon as an entry of y is there, it goes into the sum
# of the next step: one pass a step, in vectors. Threads would spend longer on waiting for each other than on a step.
# One vector is not enough: y[k,i] and y[k,k-1-i] both read what the other one overwrites.
# sizes: N=1 N=8 N=65
prog = ReadAlphabets("durbin.ab");
system = "durbin";
NormalizeReduction(prog);

setSpaceTimeMap(prog, system, "beta", "(k -> k,0,0)");
setSpaceTimeMap(prog, system, "NR_alpha", "(k,i -> k-1,2,i)");
setSpaceTimeMap(prog, system, "alpha", "(k -> k,1,0)");
setSpaceTimeMap(prog, system, "y", "(k,i -> k,2,i)");
setSpaceTimeMap(prog, system, "x", "(i -> N,0,i)");
setMemoryMap(prog, system, "beta", "(k -> 0)");
setMemoryMap(prog, system, "NR_alpha", "(k -> 0)");
setMemoryMap(prog, system, "alpha", "(k -> 0)");
setMemoryMap(prog, system, "y", "(k,i -> k,i)", "2,0");
setStatementOrdering(prog, system, "y", "NR_alpha");
setOrderingDimensions(prog, system, 1);
setDimensionType(prog, system, "NR_alpha, y", 2, "V");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
