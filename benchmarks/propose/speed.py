"""How many times as fast the code of each tuned kernel is with the memory maps that are found as with those by hand.

    .venv/bin/python benchmarks/propose/speed.py                # all of them, about 12 minutes on two cores
    .venv/bin/python benchmarks/propose/speed.py adi deriche    # some
    .venv/bin/python benchmarks/propose/speed.py adi --rounds 9

Both are compiled and run alternately, on the same inputs and at the sizes of `benchmarks/kernels`, with one thread and
with two; the ratios are medians of those within a round, behind them the least and the greatest. Where the generated
code is the same but for names, nothing is run.
"""

import argparse
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import alphaz
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.openmp import OPENMP
from alphaz.execution.bench.contest import Timing, alternately
from alphaz.execution.bench.entry import enter, files_beside
from alphaz.execution.bench.worker import keep_memory
from alphaz.execution.machine import machine
from alphaz.storage.proposal import MemoryProposal, propose
from alphaz.verify.verified import Report, Verified
from alphaz.verify.verify import certify, verify

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples" / "kernels"
THREADS = (1, 2)
LEAST = 0.97


def sizes() -> dict[str, dict[str, int]]:
    """Those of `benchmarks/kernels`, by kernel."""
    text = (ROOT / "benchmarks" / "kernels" / "measure.py").read_text(encoding="utf-8")
    table = re.findall(r'^    "([\w-]+)": "([^"]+)",$', text, re.MULTILINE)
    return {kernel: {n: int(v) for n, v in re.findall(r"(\w+)=(\d+)", given)} for kernel, given in table}


def mappings(path: Path) -> tuple[dict[str, Verified], str]:
    """With the maps by hand, and with those that are found; and the system."""
    design = alphaz.run(path)
    (system,) = design.mapped_systems
    found = propose(design.with_mapping(system, replace(design.mapping(system), memory=())), system)
    assert isinstance(found, MemoryProposal), path.name
    by_hand = certify(verify(design, [system]))
    return {"by hand": by_hand, "found": certify(Report(found.design, (found.report,)))}, system


def is_same_code(mapped: Mapping[str, Verified], system: str) -> bool:
    """But for comments, and for the names of arrays."""
    texts = [_bare(verified, system) for verified in mapped.values()]
    return texts[0] == texts[1]


def _bare(verified: Verified, system: str) -> str:
    files = scheduled_c(verified, system, target=OPENMP.on(machine())).files
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", "\n".join(files.values()), flags=re.DOTALL)
    known: dict[str, str] = {}
    return re.sub(r"[A-Za-z_]\w*", lambda name: known.setdefault(name[0], f"n{len(known)}"), text)


def line(kernel: str, given: Mapping[str, int], rounds: int, threads: tuple[int, ...]) -> tuple[str, list[float]]:
    path = SAMPLES / kernel / f"{kernel}-tuned.cs"
    mapped, system = mappings(path)
    if is_same_code(mapped, system):
        return f"{kernel:28} the same code", []
    target = mapped["found"].design.program.system(system)
    own = {name: given[name] for name in target.parameters}
    files = files_beside(Path(mapped["found"].design.program.source.name), system)
    entry = enter(mapped, system, own, threads, [], files, seed=1)
    timings, _ = alternately(target, own, entry.contestants, rounds, lambda _: None)
    known = {(timing.contestant.name, timing.contestant.threads): timing for timing in timings}
    told, ratios = [], []
    for count in threads:
        by_hand, found = known["by hand", count], known["found", count]
        ratios.append(found.faster_than(by_hand))
        told.append(f"{by_hand.median:7.3f} {found.median:7.3f}  {_ratio(found, by_hand)}")
        told += ["another result!"] * bool(found.differences)
    return f"{kernel:28} " + "  ".join(told), ratios


def _ratio(found: Timing, by_hand: Timing) -> str:
    each = sorted(theirs / ours for ours, theirs in zip(found.seconds, by_hand.seconds, strict=True))
    return f"{found.faster_than(by_hand):.2f} ({each[0]:.2f}-{each[-1]:.2f})"


def lines(kernels: list[str], rounds: int) -> Iterator[str]:
    columns = [f"{'by hand':>7} {'found':>7}  {f'ratio, {count} thread' + 's' * (count > 1):16}" for count in THREADS]
    yield f"{'kernel':28} {'  '.join(columns)}"
    slow = []
    for kernel in kernels:
        text, ratios = line(kernel, sizes()[kernel], rounds, THREADS)
        slow += [kernel] * any(ratio < LEAST for ratio in ratios)
        yield text
    yield f"below {LEAST}: {', '.join(slow) or 'none'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: all")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    unknown = sorted(set(options.kernels) - set(sizes()))
    if unknown:
        parser.error(f"no such kernel: {', '.join(unknown)}")
    keep_memory()
    for each in lines(options.kernels or sorted(sizes()), options.rounds):
        print(each, flush=True)


if __name__ == "__main__":
    main()
