# Row by row; the sum of a row is accumulated in place, in the cell of its result.
# sizes: N=2 N=9 N=40
prog = ReadAlphabets("fs.ab");
system = "FS";
CheckProgram(prog);

setSpaceTimeMap(prog, system, "SR_x", "(i,k -> i,k)");
setSpaceTimeMap(prog, system, "x", "(i -> i,i)");
setMemoryMap(prog, system, "SR_x", "x", "(i,k -> i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
generateVerificationCode(prog, system);
generateWrapper(prog, system);
generateMakefile(prog, system);
