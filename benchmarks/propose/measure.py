"""Memory maps found for every script of `samples/kernels`, its own set aside: seconds of the processor, and cells
beside those by hand.

    .venv/bin/python benchmarks/propose/measure.py                    # all scripts, and chains of 50 and 100 statements
    .venv/bin/python benchmarks/propose/measure.py adi-tuned lu       # some
    .venv/bin/python benchmarks/propose/measure.py adi-tuned --speed  # and `alphaz bench` of both, at the usual sizes

Cells are counted at 1000 for all parameters, besides the arrays of the caller.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import process_time

import alphaz
from alphaz.mapping.design import Design
from alphaz.storage.placement import Placement, given
from alphaz.storage.proposal import MemoryProposal, propose
from alphaz.storage.sizes import degree
from alphaz.storage.text import command

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


def line(name: str, design: Design, system: str) -> tuple[str, MemoryProposal]:
    proposal, seconds = found(design, system)
    stated = design.mapping(system)
    by_hand = Placement(tuple(given(v, stated) for v in design.system(system).variables))
    hand, now = proposal.prices.bill(by_hand), proposal.prices.bill(proposal.placement)
    assert hand is not None
    assert now is not None
    powers = f"{max(degree(now.cells), 0)} {max(degree(hand.cells), 0)}"
    counts = f"{now.cells[2]:>14} {hand.cells[2]:>14}"
    cut = "" if proposal.complete else "  cut short"
    return f"{name:34} {seconds:7.2f}  {powers:>7} {counts}{cut}", proposal


def speed(path: Path, proposal: MemoryProposal, rounds: int) -> str:
    """How many times as fast the code with the maps that were found is, with 1 and 2 threads."""
    text = re.sub(r"(?m)^setMemory(Map|Space)\(.*\n", "", path.read_text(encoding="utf-8"))
    at = re.search(r"(?m)^(VerifyTargetMapping|generate)", text)
    assert at is not None
    maps = [command("prog", proposal.system, e, alphaz.run(path).mapping("")) + "\n" for e in proposal.entries]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / path.parent.name
        shutil.copytree(path.parent, place)
        other = place / f"{path.stem}-found.cs"
        other.write_text(text[: at.start()] + "".join(maps) + text[at.start() :], encoding="utf-8")
        arguments = ["bench", place / path.name, other, "-p", sizes(path.parent.name), "--rounds", str(rounds)]
        command_line = [sys.executable, "-m", "alphaz.cli.main", *map(str, arguments), "--format", "json"]
        done = subprocess.run(command_line, stdout=subprocess.PIPE, text=True, check=True)
    (bench,) = json.loads(done.stdout)["benches"]
    times = {(c["name"], c["threads"]): c["seconds"] for c in bench["contestants"]}
    ratios = []
    for threads in (1, 2):
        pairs = zip(times[path.stem, threads], times[other.stem, threads], strict=True)
        each = sorted(by_hand / here for by_hand, here in pairs)
        ratios.append(f"{each[len(each) // 2]:.2f}")
    return " ".join(ratios)


def sizes(kernel: str) -> str:
    """Those of `benchmarks/kernels`."""
    text = (ROOT / "benchmarks" / "kernels" / "measure.py").read_text(encoding="utf-8")
    known = re.search(rf'"{re.escape(kernel)}": "(.*?)"', text)
    assert known is not None, kernel
    return known[1]


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
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'script':34} {'seconds':>7}  degrees {'cells found':>14} {'by hand':>14}")
    for path in sorted(SAMPLES.glob("*/*.cs")):
        if options.scripts and path.stem not in options.scripts:
            continue
        design = alphaz.run(path)
        for system in design.mapped_systems:
            text, proposal = line(path.stem, design, system)
            print(text + (f"  {speed(path, proposal, options.rounds)}" if options.speed else ""), flush=True)
    for length in () if options.scripts else (50, 100):
        print(line(f"chain of {length}", *chain(length))[0], flush=True)


if __name__ == "__main__":
    main()
