"""The shares of the machine's limit that the generated code and the best peer reach: table and roofline.

    .venv/bin/python -m benchmarks.limits.measure --prepare    # operations and traffic by the model
    .venv/bin/python -m benchmarks.peers.measure --all         # the times, on an idle machine
    .venv/bin/python -m benchmarks.limits.measure              # the rates of the machine, the table and limits.svg

The limit is the larger of the times that arithmetic takes at the rate of multiply-adds and that memory takes at the
rate of the triad, for the operations and the bytes that `alphaz explain-cost` counts. Without a parallel loop it is
that of one thread.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alphaz.figures.drawing.charts import Dot, Roof, roofline
from alphaz.machine import Ceiling
from alphaz.run.ceilings import measured
from benchmarks.kernels.measure import SAMPLES, SIZES
from benchmarks.peers import measure as peers

HERE = Path(__file__).resolve().parent
COSTS = HERE / "costs.json"
FIGURE = HERE / "limits.svg"
# Below these shares a kernel needs a reason; the second one is for kernels that stream.
ENOUGH, STREAMING = 0.8, 0.9


@dataclass(frozen=True)
class Limit:
    """The least time of a kernel, and the share of it that a time is."""

    seconds: float
    by_memory: bool

    def share(self, seconds: float | None) -> float | None:
        return None if seconds is None else self.seconds / seconds


def friendly(kernel: str) -> str:
    return peers.LIBRARY_SIZES.get(kernel, (SIZES[kernel],))[0]


def cost(kernel: str, threads: int) -> dict[str, Any] | None:
    """Operations, bytes from memory, and the share of the busiest thread; None where the model has no answer."""
    script = SAMPLES / kernel / f"{kernel}-tuned.cs"
    command = [*peers.ALPHAZ, "explain-cost", str(script), "-p", friendly(kernel), "--threads", str(threads)]
    done = subprocess.run([*command, "--format", "json"], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        return None
    found = json.loads(done.stdout)["costs"][-1]
    memory = next(level["bytes"] for level in found["levels"] if level["from"] == "memory")
    return {"operations": found["operations"], "bytes": memory, "uneven": found["uneven"], "threads": found["threads"]}


def limit(counted: dict[str, Any], rates: Ceiling) -> Limit:
    computing = counted["operations"] * counted["uneven"] / rates.operations
    moving = counted["bytes"] * counted["uneven"] / rates.bytes
    return Limit(max(computing, moving), moving > computing)


def best(bench: dict[str, Any], threads: int, ours: bool) -> float | None:
    """The least median of our mappings, or of the peers, with this number of threads."""
    names = ("-tuned", "-found")
    found = [
        float(c["median"])
        for c in bench["contestants"]
        if c["name"].endswith(names) == ours and c["threads"] in (threads, None) and c["agrees"]
    ]
    return min(found, default=None)


def rows(costs: dict[str, Any], results: dict[str, Any], rates: dict[int, Ceiling]) -> Iterator[str]:
    titles = "".join(f"{f'limit@{n}':>10}{f'by@{n}':>11}{f'ours@{n}':>8}{f'peer@{n}':>8}" for n in rates)
    yield f"{'kernel':28}{titles}"
    for kernel in SIZES:
        bench = results.get(f"{kernel} {friendly(kernel)}")
        cells, is_low = "", False
        for threads, ceiling in rates.items():
            counted = costs.get(f"{kernel} {threads}")
            if counted is None or bench is None or not counted["operations"]:
                cells += f"{'-':>10}{'-':>11}{'-':>8}{'-':>8}"
                continue
            found = limit(counted, rates.get(counted["threads"], ceiling))
            ours, theirs = (found.share(best(bench, threads, own)) for own in (True, False))
            shown = "".join(f"{'-' if share is None else format(share, '.2f'):>8}" for share in (ours, theirs))
            cells += f"{1e3 * found.seconds:8.2f}ms{'memory' if found.by_memory else 'arithmetic':>11}{shown}"
            is_low |= ours is not None and ours < (STREAMING if found.by_memory else ENOUGH)
        yield f"{kernel:28}{cells}{'  low' if is_low else ''}"
    yield "Shares of the limit: the best of our mappings, the best of the peers."
    yield f"low: below {ENOUGH} by arithmetic, or below {STREAMING} by memory. -: no time, or no count of operations."


def dots(costs: dict[str, Any], results: dict[str, Any], rates: dict[int, Ceiling]) -> Iterator[Dot]:
    for kernel in SIZES:
        bench = results.get(f"{kernel} {friendly(kernel)}")
        for threads in rates:
            counted = costs.get(f"{kernel} {threads}")
            if bench is None or counted is None or not counted["operations"] or not counted["bytes"]:
                continue
            for series, own in (("alphaz", True), ("best peer", False)):
                seconds = best(bench, threads, own)
                if seconds is not None:
                    group = f"{threads} thread{'s' * (threads > 1)}"
                    intensity = counted["operations"] / counted["bytes"]
                    yield Dot(series, group, intensity, counted["operations"] / seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--prepare", action="store_true", help="count operations and traffic only")
    parser.add_argument("--results", type=Path, default=peers.RESULTS, help="the times, of benchmarks.peers")
    parser.add_argument("--figure", type=Path, default=FIGURE)
    options = parser.parse_args()
    threads = [int(count) for count in options.threads.split(",")]
    costs = json.loads(COSTS.read_text(encoding="utf-8")) if COSTS.exists() else {}
    for kernel in SIZES if options.prepare else ():
        print(kernel, file=sys.stderr, flush=True)
        costs |= {f"{kernel} {count}": found for count in threads if (found := cost(kernel, count)) is not None}
        COSTS.write_text(json.dumps(costs, indent=1) + "\n", encoding="utf-8")
    if options.prepare:
        return
    results = json.loads(options.results.read_text(encoding="utf-8"))
    rates = {ceiling.threads: ceiling for ceiling in measured(threads).ceilings}
    for line in rows(costs, results, rates):
        print(line)
    for count, ceiling in rates.items():
        print(f"{count} threads: {ceiling.operations / 1e9:.0f} Gop/s, {ceiling.bytes / 1e9:.0f} GB/s from memory")
    roofs = [Roof(f"machine, {n} threads", ceiling.bytes, ceiling.operations) for n, ceiling in rates.items()]
    figure = roofline("Kernels", roofs, list(dots(costs, results, rates)), options.figure.suffix.removeprefix("."))
    options.figure.write_bytes(figure)


if __name__ == "__main__":
    main()
