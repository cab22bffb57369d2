# Each sum from the one before it, by the reuse vector (-1,0): N additions are left.
# sizes: N=1 N=2 N=33
prog = ReadAlphabets("running-sums.ab");
system = "running_sums";
ComplexityCalculator(prog, system);
SimplifyingReduction(prog, system, "S", "-1,0");
Simplify(prog);
InlineAll(prog, system, "_initS");
InlineAll(prog, system, "_addS");
RemoveUnusedVariables(prog);
Normalize(prog);
AShow(prog, system);
ComplexityCalculator(prog, system);

setSpaceTimeMap(prog, system, "S", "(i -> i)");
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
generateVerificationCode(prog, system);
generateWrapper(prog, system);
generateMakefile(prog, system);
