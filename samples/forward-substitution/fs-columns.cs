# Column by column: as soon as x[k] is known, every later row adds its product in parallel.
# sizes: N=2 N=9 N=40
prog = ReadAlphabets("fs.ab");
system = "FS";

setSpaceTimeMap(prog, system, "x", "(i -> i,0,i)");
setSpaceTimeMap(prog, system, "SR_x", "(i,k -> k,1,i)");
setOrderingDimensions(prog, system, 1);
setParallel(prog, system, "", 2);
setMemoryMap(prog, system, "SR_x", "x", "(i,k -> i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
