# Wrong: the smoothed values lie over the signal, which the distance still needs.
prog = ReadAlphabets("../../../../samples/subsystems/filter.ab");
system = "filtered";

setSpaceTimeMap(prog, system, "UseEquation_Once", "(-> 0)");
setSpaceTimeMap(prog, system, "UseEquation_Smooth", "(-> 1)");
setSpaceTimeMap(prog, system, "UseEquation_Change", "(-> 2)");
setMemorySpace(prog, system, "signal", "Signal, Once");

VerifyTargetMapping(prog, system, "MIN");
