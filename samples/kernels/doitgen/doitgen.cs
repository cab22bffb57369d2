# Entry by entry; the sum has the cell of B, so that B copies nothing.
# sizes: R=1,Q=1,P=1 R=3,Q=4,P=5 R=7,Q=5,P=33
prog = ReadAlphabets("doitgen.ab");
system = "doitgen";

setSpaceTimeMap(prog, system, "sum, B", "(r,q,p -> r,q,p)");
setMemorySpace(prog, system, "B", "sum");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
