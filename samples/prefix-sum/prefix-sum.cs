# One sum after the other.
# sizes: N=1 N=9 N=1000
prog = ReadAlphabets("prefix-sum.ab");
setSpaceTimeMap(prog, "prefix_sum", "y", "(i -> i)");
generateScheduledCode(prog, "prefix_sum");
