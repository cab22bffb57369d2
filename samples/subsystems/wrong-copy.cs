# Wrong: the smoothed signal is copied out of its array only after the distance has been taken.
prog = ReadAlphabets("filter.ab");
system = "filtered";

setSpaceTimeMap(prog, system, "UseEquation_Once", "(-> 0)");
setSpaceTimeMap(prog, system, "UseEquation_Smooth", "(-> 1)");
setSpaceTimeMapForValueCopy(prog, system, "UseEquation_Smooth", 1, 0, "(-> 3)");
setSpaceTimeMap(prog, system, "UseEquation_Change", "(-> 2)");

VerifyTargetMapping(prog, system, "MIN");
