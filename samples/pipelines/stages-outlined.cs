# The other way round: the maximum of the blocks becomes a system of its own.
# sizes: N=3,B=1 N=9,B=4 N=30,B=3
prog = ReadAlphabets("stages.ab");
system = "steepest";
OutlineSubSystem(prog, system, "most");
AShow(prog);

setSpaceTimeMap(prog, "smoothed", "y", "(i -> i)");
setSpaceTimeMap(prog, "slope", "d", "(i -> i)");
setSpaceTimeMap(prog, "steepest_most", "most", "(b,i -> b,i)", "(b -> b,0)");
setDimensionType(prog, "steepest_most", "most", 0, "PARALLEL");
setSpaceTimeMap(prog, system, "UseEquation_calm", "(b -> 0,b)");
setSpaceTimeMap(prog, system, "UseEquation_rise", "(b -> 1,b)");
setSpaceTimeMap(prog, system, "UseEquation_most", "( -> 2,0)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "0", 0);
setParallel(prog, system, "1", 0);
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
