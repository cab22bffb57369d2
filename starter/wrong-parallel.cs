# A wrong mapping: all elements at once, though y[i] needs y[i-1].
prog = ReadAlphabets("sums.ab");
setSpaceTimeMap(prog, "sums", "y", "(i -> i)");
setParallel(prog, "sums", "", 0);
generateScheduledCode(prog, "sums");
