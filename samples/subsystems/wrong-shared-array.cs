# Wrong: the calls share the array of their first argument, and run in parallel.
prog = ReadAlphabets("matrix-vector.ab");
caller = "matrix_vector";
label = "UseEquation_Y";

setSpaceTimeMap(prog, caller, label, "(r -> 1,r,1)");
setDimensionType(prog, caller, label, 1, "PARALLEL");
setSpaceTimeMapForUseEquationOptimization(prog, caller, label, 0, 0, "(r -> 0,0,0)", "(r -> 1,r,0)", "(r -> 2,0,0)");

VerifyTargetMapping(prog, caller, "MIN");
