# When: y[i] is computed at date i, one element after the other.
prog = ReadAlphabets("sums.ab");
setSpaceTimeMap(prog, "sums", "y", "(i -> i)");
generateScheduledCode(prog, "sums");
generateWrapper(prog, "sums");
generateMakefile(prog, "sums");
