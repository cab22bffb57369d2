# The window moves by one: its new element is added, its old one subtracted, which sums of integers allow.
# sizes: N=1,M=1 N=7,M=3 N=20,M=20 N=25,M=4
prog = ReadAlphabets("sliding-window.ab");
system = "sliding_window";
SimplifyingReduction(prog, system, "y", "(i,j -> i-1,j)");
Simplify(prog, system);
AShow(prog);

setSpaceTimeMap(prog, system, "_inity", "(i,j -> 0,j+1)", "(i -> 0,0)");
setSpaceTimeMap(prog, system, "_addy", "(i -> 1,i)");
setSpaceTimeMap(prog, system, "_suby", "(i -> 1,i)");
setSpaceTimeMap(prog, system, "y", "(i -> 2,i)");
setOrderingDimensions(prog, system, 0);
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
