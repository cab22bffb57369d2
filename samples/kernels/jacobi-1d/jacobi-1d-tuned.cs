# Found by `alphaz schedule jacobi-1d.ab`, and proved.
# One line, which moves by a cell with each step. It is faster than what was written by hand, with two lines in turn.
# sizes: N=3,T=0 N=9,T=4 N=67,T=35 N=2200,T=70
prog = ReadAlphabets("jacobi-1d.ab");

system = "jacobi-1d";
# loops: sequential, parallel
setSpaceTimeMap(prog, system, "X", "(t,i -> 0,t,i+t)");
# loops: parallel
setSpaceTimeMap(prog, system, "B", "(i -> 1,i,0)");
setOrderingDimensions(prog, system, "0");
# Tiles in time and space, those of one wavefront in parallel.
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 1024);
setTilingType(prog, system, "omp");
setMemoryMap(prog, system, "X", "(t,i -> i-t)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
