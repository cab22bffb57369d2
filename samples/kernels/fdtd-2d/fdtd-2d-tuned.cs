# In place, one array for each field. Skewed, so that time can be tiled with space; the magnetic field is one point
# behind the electric ones. Row by row in a tile, so that each field is updated in vectors. The tiles of one wavefront in
# parallel.
# sizes: NX=2,NY=2,T=1 NX=7,NY=6,T=4 NX=17,NY=19,T=11
prog = ReadAlphabets("fdtd-2d.ab");
system = "fdtd-2d";

setSpaceTimeMap(prog, system, "EY", "(t,i,j -> t,t+i,0,t+j)");
setSpaceTimeMap(prog, system, "EX", "(t,i,j -> t,t+i,1,t+j)");
setSpaceTimeMap(prog, system, "HZ", "(t,i,j -> t,t+i+1,2,t+j+1)");
setMemoryMap(prog, system, "EX", "ex", "(t,i,j -> i,j)");
setMemoryMap(prog, system, "EY", "ey", "(t,i,j -> i,j)");
setMemoryMap(prog, system, "HZ", "hz", "(t,i,j -> i,j)");
setOrderingDimensions(prog, system, 2);
setTiling(prog, system, 0, 16);
setTiling(prog, system, 1, 32);
setTiling(prog, system, 2, 1);
setTiling(prog, system, 3, 128);
setTilingType(prog, system, "omp");

VerifyTargetMapping(prog, system, "MIN");
generateScheduledCode(prog, system);
