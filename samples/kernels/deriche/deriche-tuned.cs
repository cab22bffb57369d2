# All rows, then all columns, in parallel: four rows together, so that none waits for its own recursion, and blocks of 32
# columns, line by line, which is in vectors along the rows. One array holds the rows, another (out) the columns; of the
# recursions that run backwards only the last two numbers of each row, or column, are kept.
# sizes: W=3,H=3 W=9,H=8 W=33,H=35
prog = ReadAlphabets("deriche.ab");
system = "deriche";

setSpaceTimeMap(prog, system, "e", "( -> 0,0,0,0)");
setSpaceTimeMap(prog, system, "k", "( -> 0,0,1,0)");
setSpaceTimeMap(prog, system, "a1, a2, a3, a4, b1, b2", "( -> 0,0,2,0)");
setSpaceTimeMap(prog, system, "right", "(i,j -> 1,i,0,j)");
setSpaceTimeMap(prog, system, "left, rows", "(i,j -> 1,i,1,2H-j)");
setSpaceTimeMap(prog, system, "down", "(i,j -> 2,j,0,i)");
setSpaceTimeMap(prog, system, "up, out", "(i,j -> 2,j,1,2W-i)");
setStatementOrdering(prog, system, "left", "rows");
setStatementOrdering(prog, system, "up", "out");
setMemoryMap(prog, system, "right, rows", "rows", "(i,j -> i,j)");
setMemoryMap(prog, system, "left", "(i,j -> i,j)", "0,2");
setMemoryMap(prog, system, "down", "out", "(i,j -> i,j)");
setMemoryMap(prog, system, "up", "(i,j -> i,j)", "2,0");
setOrderingDimensions(prog, system, 0);
setParallel(prog, system, "1", 0);
setParallel(prog, system, "2", 0);
setRegisterTile(prog, system, "1", 0, 4);
setRegisterTile(prog, system, "2", 0, 32);

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
