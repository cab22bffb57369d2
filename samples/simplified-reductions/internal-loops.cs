# N^4 to N^3: the penalty depends on s alone and moves out of the reduction over p; what remains is reused between pairs
# that lie inside each other, (i,j,s) from (i+1,j-1,s-2). The minimum has no inverse, and needs none: nothing is lost.
# sizes: N=4 N=5 N=9 N=14
prog = ReadAlphabets("internal-loops.ab");
system = "internal_loops";
ComplexityCalculator(prog, system);
ReductionDecomposition(prog, "0,0,0", "(i,j,s -> i,j)", "(i,j,s,p -> i,j,s)");
FactorOutFromReduction(prog, "0,0,0,0");
NormalizeReduction(prog);
SimplifyingReduction(prog, system, "NR_Q", "(i,j,s,p -> i+1,j-1,s-2,p)");
Simplify(prog);
Normalize(prog);
AShow(prog, system);
ComplexityCalculator(prog, system);

# By s; all pairs (i,j) of one s are independent. Three tables, for s, s-1 and s-2, hold everything.
setSpaceTimeMap(prog, system, "_initNR_Q, _addNR_Q", "(i,j,s,p -> s,0,i,j,p)", "(i,j,s -> s,0,i,j,-1)");
setSpaceTimeMap(prog, system, "NR_Q", "(i,j,s -> s,1,i,j,0)");
setSpaceTimeMap(prog, system, "Q", "(i,j,s -> s,2,i,j,0)", "(i,j -> 0,0,i,j,0)");
setOrderingDimensions(prog, system, 1);
setDimensionType(prog, system, "_initNR_Q, _addNR_Q, NR_Q, Q", 2, "PARALLEL");
setMemoryMap(prog, system, "NR_Q, _initNR_Q, _addNR_Q", "table", "(i,j,s -> s,i,j)", "3,0,0");
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
