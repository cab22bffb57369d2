# Vertex by vertex.
# sizes: N=1 N=7 N=33
prog = ReadAlphabets("floyd-warshall.ab");
system = "floyd-warshall";

setSpaceTimeMap(prog, system, "D", "(k,i,j -> k,0,i,j)");
setSpaceTimeMap(prog, system, "column", "(k,i -> k,1,i,0)");
setSpaceTimeMap(prog, system, "row", "(k,j -> k,2,j,0)");
setSpaceTimeMap(prog, system, "d", "(i,j -> N+1,0,i,j)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
