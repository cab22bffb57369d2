# One product, then the other.
# sizes: N=1 N=7 N=67
prog = ReadAlphabets("mvt.ab");
system = "mvt";

setSpaceTimeMap(prog, system, "x1", "(i -> 0,i)");
setSpaceTimeMap(prog, system, "x2", "(i -> 1,i)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
