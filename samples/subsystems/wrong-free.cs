# Wrong: the array of the first argument is freed while the call still uses it.
prog = ReadAlphabets("matrix-vector.ab");
caller = "matrix_vector";
label = "UseEquation_Y";

setSpaceTimeMap(prog, caller, label, "(r -> r,3)");
setSpaceTimeMapForUseEquationOptimization(prog, caller, label, 0, 0, "(r -> r,0)", "(r -> r,1)", "(r -> r,2)");

VerifyTargetMapping(prog, caller, "MIN");
