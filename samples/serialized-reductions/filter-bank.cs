# The sum from the last tap to the first (the variable that serialises counts -m upwards); one cell for each result, blocks of results in parallel.
# sizes: N=2,M=2 N=20,M=3 N=40,M=9
prog = ReadAlphabets("filter-bank.ab");
system = "filter_bank";
SerializeReduction(prog, "(0,0,0)", "(n,m -> n,-m)");
RenameVariable(prog, system, "_sery", "partial");
AShow(prog);

setSpaceTimeMap(prog, system, "partial", "(n,m -> n,m)");
setSpaceTimeMap(prog, system, "y", "(n -> n,1)");
setMemoryMap(prog, system, "partial", "y", "(n,m -> n)");
setMemoryMap(prog, system, "y", "y", "(n -> n)");
setDimensionType(prog, system, "partial", 0, "P");
setDimensionType(prog, system, "y", 0, "P");
VerifyTargetMapping(prog, system);
generateScheduledCode(prog, system);
