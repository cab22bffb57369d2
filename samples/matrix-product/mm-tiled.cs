# All three dimensions tiled.
# sizes: P=1,Q=1,R=1 P=31,Q=33,R=30 P=64,Q=7,R=45
prog = ReadAlphabets("mm.ab");
system = "MM";

setSpaceTimeMap(prog, system, "Acc_C", "(i,j,k -> k,i,j)");
setSpaceTimeMap(prog, system, "C", "(i,j -> Q+1,i,j)");
setTiling(prog, system, 0, 30);
setTiling(prog, system, 1, 30);
setTiling(prog, system, 2, 30);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
