# One array for all rows, made once and filled for each row; the results are copied out as they come.
# sizes: N=1,M=1 N=5,M=3 N=40,M=17
prog = ReadAlphabets("matrix-vector.ab");
caller = "matrix_vector";
callee = "scalar_product";
label = "UseEquation_Y";

setSpaceTimeMap(prog, callee, "S", "(i -> i)");
setSpaceTimeMap(prog, callee, "P", "(-> N)");
setMemoryMap(prog, callee, "S", "running", "(i -> )");
setMemorySpace(prog, callee, "running", "P");

setSpaceTimeMap(prog, caller, label, "(r -> 1,r,2)");
setSpaceTimeMapForUseEquationOptimization(prog, caller, label, 0, 0, "(r -> 0,0,0)", "(r -> 1,r,0)", "(r -> 2,0,0)");
setSpaceTimeMapForMemoryAllocation(prog, caller, label, 0, 1, "(r -> 0,0,1)");
setSpaceTimeMapForValueCopy(prog, caller, label, 0, 1, "(r -> 1,r,1)");
setSpaceTimeMapForMemoryFree(prog, caller, label, 0, 1, "(r -> 2,0,1)");
setSpaceTimeMapForUseEquationOptimization(prog, caller, label, 1, 0, "(r -> 0,0,2)", "(r -> 1,r,3)", "(r -> 2,0,2)");

VerifyTargetMapping(prog, callee, "MIN");
VerifyTargetMapping(prog, caller, "MIN");
generateScheduledCode(prog, callee);
generateScheduledCode(prog, caller);
generateVerificationCode(prog, caller);
generateWrapper(prog, caller);
generateMakefile(prog, caller);
