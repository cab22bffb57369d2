"""`python -m alphaz.run.simulated_ranks RANKS PROGRAM ..`: executes a program for MPI in one process, by SMPI.

SMPI belongs to SimGrid. The ranks are on hosts of a cluster whose links have the latency and the bytes/s of the assumed
network; the simulated time has no computation.
Simulated sends do not return before they are received, so that programs that rely on buffers end in a deadlock.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from alphaz.machine import Network

_PLATFORM = """\
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="host" suffix="" radical="0-{last}" speed="{speed}f" bw="{bytes}Bps" lat="{latency}s"/>
</platform>
"""

_OPTIONS = (
    "--cfg=smpi/simulate-computation:no",
    "--cfg=smpi/send-is-detached-thresh:0",
    "--cfg=smpi/async-small-thresh:0",
    "--log=root.thresh:critical",
    "--log=smpi.thresh:critical",
)
# Operations of a host in a second, of the model of `explain-cost`: 0.5 ns each.
_SPEED = 2e9


def platform(ranks: int, network: Network) -> str:
    """Returns the description of a cluster with a host for each rank; two links are between any two hosts."""
    latency, rate = network.latency / 2, network.bytes
    return _PLATFORM.format(last=ranks - 1, speed=_SPEED, bytes=rate, latency=latency)


def main(arguments: list[str]) -> int:
    """Executes the simulation. Returns its exit code."""
    ranks = int(arguments[0])
    program = shutil.which("smpirun")
    if program is None:
        sys.stderr.write("smpirun is missing: install SimGrid (Debian: apt install simgrid)\n")
        return 127
    folder = Path(tempfile.mkdtemp(prefix="alphaz-smpi-"))
    (folder / "platform.xml").write_text(platform(ranks, Network()))
    (folder / "hosts").write_text("".join(f"host{position}\n" for position in range(ranks)))
    words = [program, "-np", str(ranks), "-platform", str(folder / "platform.xml"), "-hostfile", str(folder / "hosts")]
    try:
        return abs(os.spawnv(os.P_WAIT, program, [*words, *_OPTIONS, *arguments[1:]]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
