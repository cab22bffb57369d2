# Serialise, schedule, share memory, tile: the partial sums take the cells of the results, three dimensions are tiled.
# sizes: P=1,Q=1,R=1 P=9,Q=20,R=10 P=33,Q=7,R=18
prog = ReadAlphabets("product.ab");
system = "product";
SerializeReduction(prog, system, "C", "(i,j,k -> i,j,k)");
AShow(prog);

setSpaceTimeMap(prog, system, "_serC", "(i,j,k -> k,i,j)");
setSpaceTimeMap(prog, system, "C", "(i,j -> Q,i,j)");
setMemoryMap(prog, system, "_serC", "C", "(i,j,k -> i,j)");
setMemoryMap(prog, system, "C", "C", "(i,j -> i,j)");
setTiling(prog, system, 0, 8);
setTiling(prog, system, 1, 8);
setTiling(prog, system, 2, 8);
VerifyTargetMapping(prog, system, "MIN");

outDir = "generated/" + system;
generateScheduledCode(prog, system, outDir);
generateVerificationCode(prog, system, outDir);
generateWrapper(prog, system, outDir);
generateMakefile(prog, system, outDir);
