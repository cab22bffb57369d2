# Wrong: in one and the same array the system would write what it has still to read.
prog = ReadAlphabets("filter.ab");
system = "filtered";

setSpaceTimeMap(prog, system, "UseEquation_Once", "(-> 0)");
setSpaceTimeMap(prog, system, "UseEquation_Smooth", "(-> 1)");
setSpaceTimeMap(prog, system, "UseEquation_Change", "(-> 2)");
setMemorySpace(prog, system, "signal", "Signal, Once");
setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Once", 0, 0, "signal");
setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Once", 1, 0, "signal");

VerifyTargetMapping(prog, system, "MIN");
