# The reuse is searched: the result is quadratic, the product of a row added to those before it. The products of the
# rows are independent: they run in parallel.
# sizes: N=1 N=2 N=9 N=20
prog = ReadAlphabets("matrix-vector-prefix.ab");
system = "matrix_vector_prefix";
OptimalSimplifyingReductions(prog, system);
Simplify(prog);
AShow(prog);

setSpaceTimeMap(prog, system, "_inity", "(i,j,k -> 0,i,k)", "(i -> 0,i,-1)");
setSpaceTimeMap(prog, system, "_addy", "(i,j,k -> 0,i,k)", "(i -> 0,i,-1)");
setSpaceTimeMap(prog, system, "y", "(i -> 1,i,0)");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "0", 0);
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
