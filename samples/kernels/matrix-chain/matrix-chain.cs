# Row by row, from below.
# sizes: N=1 N=8 N=70
prog = ReadAlphabets("matrix-chain.ab");
system = "matrix_chain";

setSpaceTimeMap(prog, system, "M", "(i,j -> -i,j)");
setSpaceTimeMap(prog, system, "best", "( -> 0,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
