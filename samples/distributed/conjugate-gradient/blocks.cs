# Three steps in each iteration: values and the product of residuals, which ranks combine; directions, whose ends the
# neighbours get; their images and the second product. The called systems are inlined.
# sizes: N=2,T=1 N=9,T=4
prog = ReadAlphabets("conjugate-gradient.ab");
InlineSubSystem(prog, "conjugate_gradient", "UseEquation_q");
InlineSubSystem(prog, "conjugate_gradient", "UseEquation_rr");
InlineSubSystem(prog, "conjugate_gradient", "UseEquation_pq");
setSpaceTimeMap(prog, "conjugate_gradient", "x", "(t,i -> 3t,i,0)");
setSpaceTimeMap(prog, "conjugate_gradient", "r", "(t,i -> 3t,i,1)");
setSpaceTimeMap(prog, "conjugate_gradient", "rr", "(t,i -> 3t,i,2)");
setSpaceTimeMap(prog, "conjugate_gradient", "p", "(t,i -> 3t+1,i,0)");
setSpaceTimeMap(prog, "conjugate_gradient", "q", "(t,i -> 3t+2,i,0)");
setSpaceTimeMap(prog, "conjugate_gradient", "pq", "(t,i -> 3t+2,i,1)");
setSpaceTimeMap(prog, "conjugate_gradient", "X", "(i -> 3T+3,i,0)");
setOrderingDimensions(prog, "conjugate_gradient", "2");
setReductionDimension(prog, "conjugate_gradient", "", "1");
setDistributed(prog, "conjugate_gradient", "", 1, "block");
setMemoryMap(prog, "conjugate_gradient", "x", "(t,i -> i)");
setMemoryMap(prog, "conjugate_gradient", "r", "(t,i -> i)");
setMemoryMap(prog, "conjugate_gradient", "p", "(t,i -> i)");
setMemoryMap(prog, "conjugate_gradient", "q", "(t,i -> i)");
setTarget(prog, "conjugate_gradient", "mpi");
generateScheduledCode(prog, "conjugate_gradient");
generateWrapper(prog, "conjugate_gradient");
generateMakefile(prog, "conjugate_gradient");
