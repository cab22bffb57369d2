# Wrong: the sum of the halves is taken before the second of them is computed.
prog = ReadAlphabets("halves.ab");
system = "total";

setSpaceTimeMap(prog, system, "UseEquation_Left", "(h -> 0)");
setSpaceTimeMap(prog, system, "UseEquation_Right", "(h -> 2)");
setSpaceTimeMap(prog, system, "Sum", "(-> 1)");

VerifyTargetMapping(prog, system, "MIN");
