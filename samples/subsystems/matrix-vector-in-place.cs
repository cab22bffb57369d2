# The rows are multiplied in parallel, where they lie: nothing is copied.
# sizes: N=1,M=1 N=5,M=3 N=40,M=17
prog = ReadAlphabets("matrix-vector.ab");
caller = "matrix_vector";
label = "UseEquation_Y";

setSpaceTimeMap(prog, "scalar_product", "S", "(i -> i)");
setSpaceTimeMap(prog, "scalar_product", "P", "(-> N)");

setSpaceTimeMap(prog, caller, label, "(r -> r)");
setParallel(prog, caller, "", 0);
setMemorySpaceForUseEquationOptimization(prog, caller, label, 0, 0, "A");
setMemorySpaceForUseEquationOptimization(prog, caller, label, 0, 1, "X");
setMemorySpaceForUseEquationOptimization(prog, caller, label, 1, 0, "Y");

VerifyTargetMapping(prog, caller, "MIN");
generateScheduledCode(prog, caller);
