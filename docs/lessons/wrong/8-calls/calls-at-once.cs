# Wrong: three calls that depend on each other have one date.
prog = ReadAlphabets("../../../../samples/subsystems/filter.ab");
system = "filtered";

setSpaceTimeMap(prog, system, "UseEquation_Once", "(-> 0)");
setSpaceTimeMap(prog, system, "UseEquation_Smooth", "(-> 0)");
setSpaceTimeMap(prog, system, "UseEquation_Change", "(-> 0)");

VerifyTargetMapping(prog, system, "MIN");
