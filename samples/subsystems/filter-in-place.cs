# What needs no copy is passed where it lies; the doubled signal is computed into the array of its call.
# sizes: N=3 N=10 N=77
prog = ReadAlphabets("filter.ab");
system = "filtered";

setSpaceTimeMap(prog, "smooth", "Y", "(i -> i)");
setSpaceTimeMap(prog, "distance", "Most", "(-> 0)");

setSpaceTimeMap(prog, system, "UseEquation_Once", "(-> 0)");
setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Once", 0, 0, "Signal");
setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Once", 1, 0, "Once");

setSpaceTimeMap(prog, system, "UseEquation_Smooth", "(-> 2)");
setSpaceTimeMapForUseEquationOptimization(prog, system, "UseEquation_Smooth", 0, 0, "(-> 0)", "(-> 1)", "(-> 3)");
setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Smooth", 1, 0, "Smooth");
setStatementOrdering(prog, system, "UseEquation_Once", "UseEquation_Smooth");

setSpaceTimeMap(prog, system, "UseEquation_Change", "(-> 4)");
setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Change", 0, 0, "Signal");
setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Change", 0, 1, "Smooth");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
