# Both halves at once; each call works on its own half of the sequence, where it lies.
# sizes: N=1 N=2 N=7 N=64
prog = ReadAlphabets("halves.ab");
system = "total";

setSpaceTimeMap(prog, system, "UseEquation_Left", "(h -> 0)");
setSpaceTimeMap(prog, system, "UseEquation_Right", "(h -> 1)");
setSpaceTimeMap(prog, system, "Sum", "(-> 2)");
setOrderingDimensions(prog, system, 0);
setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Left", 0, 0, "X");
setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Right", 0, 0, "X");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
