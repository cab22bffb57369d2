# Entry by entry: each sum is computed whole.
# sizes: NI=1,NJ=1,NK=1 NI=7,NJ=5,NK=9 NI=33,NJ=35,NK=34
prog = ReadAlphabets("gemm.ab");
system = "gemm";

setSpaceTimeMap(prog, system, "C", "(i,j -> i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
