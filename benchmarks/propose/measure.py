"""Memory maps found for every script of `samples/kernels`, its own set aside: seconds of the processor, and cells
beside those by hand.

    .venv/bin/python benchmarks/propose/measure.py                    # all scripts, and chains of 50 and 100 statements
    .venv/bin/python benchmarks/propose/measure.py adi-tuned lu       # some

Cells are counted at 1000 for all parameters, besides the arrays of the caller.
"""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path
from time import process_time

import alphaz
from alphaz.mapping.design import Design
from alphaz.search.memory.placement import Placement, given_map
from alphaz.search.memory.proposal import MemoryProposal, propose
from alphaz.search.memory.set_sizes import degree

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples" / "kernels"
CUBE = "{i,j | 0<=(i,j)<N}"


def found(design: Design, system: str) -> tuple[MemoryProposal, float]:
    bare = design.with_mapping(system, replace(design.mapping(system), memory=()))
    start = process_time()
    proposal = propose(bare, system)
    seconds = process_time() - start
    assert isinstance(proposal, MemoryProposal), system
    return proposal, seconds


def line(name: str, design: Design, system: str) -> str:
    proposal, seconds = found(design, system)
    stated = design.mapping(system)
    by_hand = Placement(tuple(given_map(v, stated) for v in design.system(system).variables))
    hand, now = proposal.prices.bill(by_hand), proposal.prices.bill(proposal.placement)
    assert hand is not None
    assert now is not None
    powers = f"{max(degree(now.cells), 0)} {max(degree(hand.cells), 0)}"
    counts = f"{now.cells[2]:>14} {hand.cells[2]:>14}"
    cut = "" if proposal.complete else "  cut short"
    return f"{name:34} {seconds:7.2f}  {powers:>7} {counts}{cut}"


def chain(length: int) -> tuple[Design, str]:
    """Each of so many arrays is computed from the one before, across."""
    arrays = [f"x{at}" for at in range(length)]
    equations = [f"x{at}[i,j] = x{at - 1}[j,i] * x{at - 1}[i,0];" for at in range(1, length)]
    text = [
        f"affine chain {{N | N>=2}}\ninput double a {CUBE};\noutput double z {CUBE};",
        f"local double {','.join(arrays)} {CUBE};\nlet\nx0[i,j] = a[j,i] + 1.0;",
        *equations,
        f"z[i,j] = x{length - 1}[j,i] + 1.0;\n.\n",
    ]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "chain.ab").write_text("\n".join(text), encoding="utf-8")
        dates = [f'setSpaceTimeMap(prog, "chain", "x{at}", "(i,j -> {at},i,j)");' for at in range(length)]
        dates += [f'setSpaceTimeMap(prog, "chain", "z", "(i,j -> {length},i,j)");']
        script = ['prog = ReadAlphabets("chain.ab");', *dates, 'setOrderingDimensions(prog, "chain", 0);']
        (Path(folder) / "chain.cs").write_text("\n".join(script), encoding="utf-8")
        return alphaz.run(Path(folder) / "chain.cs"), "chain"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", nargs="*")
    options = parser.parse_args()
    print(f"{'script':34} {'seconds':>7}  degrees {'cells found':>14} {'by hand':>14}")
    for path in sorted(SAMPLES.glob("*/*.cs")):
        if options.scripts and path.stem not in options.scripts:
            continue
        design = alphaz.run(path)
        for system in design.mapped_systems:
            print(line(path.stem, design, system), flush=True)
    for length in () if options.scripts else (50, 100):
        print(line(f"chain of {length}", *chain(length)), flush=True)


if __name__ == "__main__":
    main()
