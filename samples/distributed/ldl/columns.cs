# Columns are dealt out. A rank gets exactly the part of column k that its own columns read.
# sizes: N=1 N=7
prog = ReadAlphabets("ldl.ab");
setSpaceTimeMap(prog, "ldl", "W", "(k,i,j -> 2k,j,i)");
setSpaceTimeMap(prog, "ldl", "L", "(i,j -> 2j+1,j,i)");
setSpaceTimeMap(prog, "ldl", "D", "(j -> 2N,j,0)");
setDistributed(prog, "ldl", "", 1, "cyclic");
setGhostMap(prog, "ldl", "W", "(k,i,j -> i)");
setGhostMap(prog, "ldl", "L", "(i,j -> i)");
setTarget(prog, "ldl", "mpi");
generateScheduledCode(prog, "ldl");
generateWrapper(prog, "ldl");
generateMakefile(prog, "ldl");
