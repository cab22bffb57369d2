# Three calls, one after the other; each makes the arrays that it needs.
# sizes: N=3 N=10 N=77
prog = ReadAlphabets("filter.ab");
system = "filtered";

setSpaceTimeMap(prog, "smooth", "Y", "(i -> i)");
setDimensionType(prog, "smooth", "Y", 0, "PARALLEL");

setSpaceTimeMap(prog, system, "UseEquation_Once", "(-> 0)");
setSpaceTimeMap(prog, system, "UseEquation_Smooth", "(-> 1)");
setSpaceTimeMap(prog, system, "UseEquation_Change", "(-> 2)");
setOrderingDimensions(prog, system, 0);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
