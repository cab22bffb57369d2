# Both systems become equations of their caller: one loop does all three stages, and keeps four numbers of a block.
# sizes: N=3,B=1 N=9,B=4 N=30,B=3
prog = ReadAlphabets("stages.ab");
system = "steepest";
InlineSubSystem(prog, system, "UseEquation_calm");
InlineSubSystem(prog, system, "UseEquation_rise");
Normalize(prog);
AShow(prog, system);

setSpaceTimeMap(prog, system, "calm", "(b,i -> b,i,0)");
setSpaceTimeMap(prog, system, "rise", "(b,i -> b,i,1)");
setSpaceTimeMap(prog, system, "most", "(b,i -> b,i,2)", "(b -> b,-1,0)");
setOrderingDimensions(prog, system, 2);
setMemoryMap(prog, system, "calm", "(b,i -> i)", "2");
setMemoryMap(prog, system, "rise", "( b,i -> )");
VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
