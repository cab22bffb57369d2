"""How many times as fast the code of each tuned kernel is with the memory maps that are found as with those by hand.

    .venv/bin/python -m benchmarks.propose.speed                         # all of them; writes results.json
    .venv/bin/python -m benchmarks.propose.speed --small --rounds 3 --minutes 15
    .venv/bin/python -m benchmarks.propose.speed adi deriche --rounds 9  # some, and the table of the others as it was
    .venv/bin/python -m benchmarks.propose.speed --table                 # only the table, from results.json

Both are compiled and run alternately, on the same inputs and at the sizes of `benchmarks/kernels` (halved with
--small), with one thread and with two; the ratios are medians of those within a round, behind them the least and the
greatest. Where the generated code is the same but for names, nothing is run. With --minutes no kernel is begun after
that time; those that are left keep the figures of the run before, and are the first ones of the next run if there are
none.
"""

import argparse
import json
import math
import re
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import alphaz
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.openmp import OPENMP
from alphaz.legality.verdicts import DesignVerdict, Verified
from alphaz.legality.verify import certify, verify
from alphaz.run.bench.contest import alternately
from alphaz.run.bench.contestants import enter, files_beside
from alphaz.run.bench.fork_server import keep_memory
from alphaz.run.machine import machine
from alphaz.search.memory.proposal import MemoryProposal, propose
from benchmarks.kernels.measure import SAMPLES, SIZES, small_size

RESULTS = Path(__file__).resolve().parent / "results.json"
THREADS = (1, 2)
LEAST = 0.97


def mappings(path: Path) -> tuple[dict[str, Verified], str]:
    """With the maps by hand, and with those that are found; and the system."""
    design = alphaz.run(path)
    (system,) = design.mapped_systems
    found = propose(design.with_mapping(system, replace(design.mapping(system), memory=())), system)
    assert isinstance(found, MemoryProposal), path.name
    by_hand = certify(verify(design, [system]))
    return {"by hand": by_hand, "found": certify(DesignVerdict(found.design, (found.report,)))}, system


def is_same_code(mapped: Mapping[str, Verified], system: str) -> bool:
    """But for comments, and for the names of arrays."""
    texts = [_bare(verified, system) for verified in mapped.values()]
    return texts[0] == texts[1]


def _bare(verified: Verified, system: str) -> str:
    files = scheduled_c(verified, system, target=OPENMP.on(machine())).files
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", "\n".join(files.values()), flags=re.DOTALL)
    known: dict[str, str] = {}
    return re.sub(r"[A-Za-z_]\w*", lambda name: known.setdefault(name[0], f"n{len(known)}"), text)


def measured(kernel: str, size: str, rounds: int, threads: tuple[int, ...]) -> dict[str, Any]:
    """The seconds of each round, by contestant and threads; none where the code is the same; whether results agree."""
    mapped, system = mappings(SAMPLES / kernel / f"{kernel}-tuned.cs")
    if is_same_code(mapped, system):
        return {"size": size, "seconds": {}, "agrees": True}
    given = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", size)}
    target = mapped["found"].design.program.system(system)
    own = {name: given[name] for name in target.parameters}
    files = files_beside(Path(mapped["found"].design.program.source.name), system)
    entry = enter(mapped, system, own, threads, [], files, seed=1)
    timings, _ = alternately(target, own, entry.contestants, rounds, lambda _: None, entry.layouts)
    seconds = {f"{t.contestant.name}@{t.contestant.threads}": list(t.seconds) for t in timings}
    return {"size": size, "seconds": seconds, "agrees": not any(t.differences for t in timings)}


def table(results: Mapping[str, Any]) -> Iterator[str]:
    columns = [f"{'by hand':>7} {'found':>7}  {f'ratio, {count} thread' + 's' * (count > 1):16}" for count in THREADS]
    yield f"{'kernel':28}{'  '.join(columns)}"
    slow = []
    for kernel, bench in sorted(results.items()):
        seconds = bench["seconds"]
        shown = "  ".join(_cells(seconds, count) for count in THREADS) if seconds else "the same code"
        yield f"{kernel:28}{shown}{'' if bench['agrees'] else '  another result!'}".rstrip()
        slow += [kernel] * any(median(_ratios(seconds, count)) < LEAST for count in THREADS if seconds)
    yield f"{len(results)} kernels; below {LEAST}: {', '.join(slow) or 'none'}"


def _cells(seconds: Mapping[str, list[float]], threads: int) -> str:
    by_hand, found = (median(seconds[f"{name}@{threads}"]) for name in ("by hand", "found"))
    ratios = _ratios(seconds, threads)
    told = f"{median(ratios):.2f} ({ratios[0]:.2f}-{ratios[-1]:.2f})"
    return f"{by_hand:7.3f} {found:7.3f}  {told:16}"


def _ratios(seconds: Mapping[str, list[float]], threads: int) -> list[float]:
    by_hand, found = (seconds[f"{name}@{threads}"] for name in ("by hand", "found"))
    return sorted(theirs / ours for ours, theirs in zip(found, by_hand, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: all")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--small", action="store_true", help="half the sizes")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no kernel after so long")
    parser.add_argument("--table", action="store_true", help="measure nothing")
    options = parser.parse_args()
    unknown = sorted(set(options.kernels) - set(SIZES))
    if unknown:
        parser.error(f"no such kernel: {', '.join(unknown)}")
    keep_memory()
    results = json.loads(options.results.read_text(encoding="utf-8")) if options.results.exists() else {}
    start = time.monotonic()
    # Where the time was over before, the next run goes on.
    every = options.kernels or sorted(SIZES, key=lambda kernel: kernel in results)
    for kernel in () if options.table else every:
        if time.monotonic() - start > 60 * options.minutes:
            print("the time is over", file=sys.stderr)
            break
        print(f"{kernel} ...", file=sys.stderr, flush=True)
        size = small_size(kernel) if options.small else SIZES[kernel]
        results[kernel] = measured(kernel, size, options.rounds, THREADS)
        options.results.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for line in table(results):
        print(line)


if __name__ == "__main__":
    main()
