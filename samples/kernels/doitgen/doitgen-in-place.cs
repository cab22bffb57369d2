# In place: B takes the cells of A; each r, of which all are parallel, keeps one row of sums.
# sizes: R=1,Q=1,P=1 R=3,Q=4,P=5 R=7,Q=5,P=33
prog = ReadAlphabets("doitgen.ab");
system = "doitgen";

setSpaceTimeMap(prog, system, "sum", "(r,q,p,s -> r,q,s,p)");
setSpaceTimeMap(prog, system, "B", "(r,q,p -> r,q,P,p)");
setMemoryMap(prog, system, "sum", "sums", "(r,q,p -> r,p)");
setMemorySpace(prog, system, "B", "A");
setParallel(prog, system, "", 0);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
