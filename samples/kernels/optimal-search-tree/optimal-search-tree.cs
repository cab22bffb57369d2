# Row by row, from below.
# sizes: N=1 N=8 N=70
prog = ReadAlphabets("optimal-search-tree.ab");
system = "optimal_search_tree";

setSpaceTimeMap(prog, system, "W", "(i,j -> -i,j,0)");
setSpaceTimeMap(prog, system, "C", "(i,j -> -i,j,1)");
setSpaceTimeMap(prog, system, "cost", "( -> 0,0,0)");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
