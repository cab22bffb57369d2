# Each block goes through both systems, one block after the other; their arrays are made and freed for each.
# sizes: N=3,B=1 N=9,B=4 N=30,B=3
prog = ReadAlphabets("stages.ab");
system = "steepest";
setSpaceTimeMap(prog, "smoothed", "y", "(i -> i)");
setDimensionType(prog, "smoothed", "y", 0, "PARALLEL");
setSpaceTimeMap(prog, "slope", "d", "(i -> i)");

setSpaceTimeMap(prog, system, "UseEquation_calm", "(b -> b,0,0)");
setSpaceTimeMap(prog, system, "UseEquation_rise", "(b -> b,1,0)");
setSpaceTimeMap(prog, system, "most", "(b,i -> b,2,i)", "(b -> b,2,0)");
setOrderingDimensions(prog, system, 1);
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
generateScheduledCode(prog, "smoothed");
generateScheduledCode(prog, "slope");
