# Rows in parallel, the sum accumulated in the cell of its result: then C only copies, and is dropped.
# sizes: P=1,Q=1,R=1 P=31,Q=33,R=30 P=64,Q=7,R=45
prog = ReadAlphabets("mm.ab");
system = "MM";
CheckProgram(prog);

setSpaceTimeMap(prog, system, "Acc_C", "(i,j,k -> i,k,j)");
setSpaceTimeMap(prog, system, "C", "(i,j -> i,Q+1,j)");
setParallel(prog, system, "", "0");
setMemoryMap(prog, system, "Acc_C", "C", "(i,j,k -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
generateVerificationCode(prog, system);
generateWrapper(prog, system);
generateMakefile(prog, system);
