# Wrong: the second call comes before the first, whose result it needs.
prog = ReadAlphabets("../../../../samples/subsystems/filter.ab");
system = "filtered";

setSpaceTimeMap(prog, system, "UseEquation_Once", "(-> 1)");
setSpaceTimeMap(prog, system, "UseEquation_Smooth", "(-> 0)");
setSpaceTimeMap(prog, system, "UseEquation_Change", "(-> 2)");

VerifyTargetMapping(prog, system, "MIN");
