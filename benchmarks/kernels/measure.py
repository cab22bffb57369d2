"""The classic kernels against plain C by gcc, the same by clang with Polly, and NumPy or SciPy: `alphaz bench` of every
tuned script of `samples/kernels`, at sizes for which plain C takes about 0.3 to 3 s.

    .venv/bin/python benchmarks/kernels/measure.py                       # all kernels; writes results.json
    .venv/bin/python benchmarks/kernels/measure.py gemm lu --rounds 3    # some, and the table of the others as it was
    .venv/bin/python benchmarks/kernels/measure.py --table               # only the table, from results.json

Each kernel is measured in a process of its own, all contestants alternately. Where that process crashes, which code by
Polly may do, it is measured again without Polly. Loops fused by hand (`fused/`) take part where there are some. How
fast memory streams (the triad) is measured before each kernel whose time is that of reading its matrix.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from alphaz.run.ceilings import ceilings

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAMPLES = ROOT / "samples" / "kernels"
RESULTS = HERE / "results.json"
PEERS = ("gcc", "polly", "numpy")
MEMORY_BOUND = ("atax", "bicg", "gemver", "gesummv", "mvt", "trisolv")

SIZES = {
    "2mm": "NI=800,NJ=900,NK=1100,NL=1000",
    "3mm": "NI=800,NJ=900,NK=1000,NL=1000,NM=1100",
    "adi": "N=1000,T=20",
    "atax": "M=16000,N=16000",
    "bicg": "M=18000,N=18000",
    "cholesky": "N=1800",
    "correlation": "M=1000,N=1200",
    "covariance": "M=800,N=1000",
    "deriche": "W=4096,H=4096",
    "doitgen": "R=150,Q=140,P=160",
    "durbin": "N=22000",
    "fdtd-2d": "NX=1000,NY=1200,T=250",
    "floyd-warshall": "N=1000",
    "gemm": "NI=1400,NJ=1500,NK=1600",
    "gemver": "N=10000",
    "gesummv": "N=16000",
    "gramschmidt": "M=800,N=700",
    "heat-3d": "N=200,T=100",
    "jacobi-1d": "N=2000000,T=500",
    "jacobi-2d": "N=1800,T=200",
    "knapsack": "N=2000,W=100000",
    "longest-common-subsequence": "M=12000,N=12000",
    "lu": "N=1500",
    "ludcmp": "N=1500",
    "matrix-chain": "N=1500",
    "mvt": "N=12000",
    "needleman-wunsch": "M=10000,N=10000",
    "nussinov": "N=1600",
    "optimal-search-tree": "N=1500",
    "seidel-2d": "N=1800,T=40",
    "smith-waterman": "M=12000,N=12000",
    "symm": "M=1000,N=1000",
    "syr2k": "N=1000,M=1000",
    "syrk": "N=1200,M=1200",
    "trisolv": "N=22000",
    "trmm": "M=1000,N=1000",
}


def small_size(kernel: str) -> str:
    """Half of each parameter that has three digits or more."""
    return re.sub(r"(?<==)\d{3,}", lambda number: str(int(number[0]) // 2), SIZES[kernel])


def measured(kernel: str, script: str, rounds: int, threads: str) -> dict[str, Any]:
    """One kernel, as `alphaz bench --format json` reports it; memory-bound ones with what the triad reached."""
    path = SAMPLES / kernel / f"{kernel}{script}.cs"
    fused = HERE / "fused" / f"{kernel}-fused.c"
    peers = [*PEERS, *([str(fused)] if fused.is_file() else [])]
    numbers = [int(number) for number in threads.split(",")]
    streams = {c.threads: c.bytes for c in ceilings(numbers)} if kernel in MEMORY_BOUND else {}
    command = [sys.executable, "-m", "alphaz.cli.main", "bench", str(path), "-p", SIZES[kernel]]
    command += ["--threads", threads, "--rounds", str(rounds), "--format", "json", "--against"]
    done = subprocess.run([*command, ",".join(peers)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode < 0:
        print(f"{kernel}: crashed (signal {-done.returncode}); again without Polly", file=sys.stderr, flush=True)
        peers.remove("polly")
        done = subprocess.run([*command, ",".join(peers)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{kernel}: alphaz bench ended with status {done.returncode}")
    (bench,) = json.loads(done.stdout.replace(f"{ROOT}/", ""))["benches"]
    return {**bench, "script": path.name, "streams": streams}


def table(results: dict[str, Any]) -> Iterator[str]:
    """A line for each kernel: the seconds of plain gcc, and how many times as fast as that the others are."""
    columns = [(name, threads) for name in ("alphaz", "polly", "numpy", "fused") for threads in (1, 2)]
    titles = "".join(f"{f'{name}@{count}':>9}" for name, count in columns)
    yield f"{'kernel':27}{'gcc':>8}{titles}{'/numpy':>8}{'/others':>8}{'stream':>7}"
    for kernel, bench in sorted(results.items()):
        found = {(c["name"].removeprefix(f"{kernel}-"), c["threads"] or 1): c for c in bench["contestants"]}
        base = found[("gcc", 1)]
        cells = "".join(f"{_cell(found.get(column)):>9}" for column in columns)
        yield (
            f"{kernel:27}{base['median']:7.2f}s{cells}{_against(bench, ('numpy',)):>8}"
            f"{_against(bench, ('gcc', 'polly', f'{kernel}-fused')):>8}{_streamed(bench):>7}"
        )
    yield "/numpy, /others: our fastest time against the fastest of numpy, and of all others; above 1 we are faster."
    yield "stream: the bytes of inputs and outputs in our fastest time, as a share of what the triad streams."
    yield "!: another result."


def _cell(contestant: dict[str, Any] | None) -> str:
    if contestant is None:
        return "-"
    return f"{contestant['speedup']:.2f}{'' if contestant['agrees'] else '!'}"


def _ours(bench: dict[str, Any]) -> dict[str, Any]:
    ours = (c for c in bench["contestants"] if c["name"] == "alphaz")
    return min(ours, key=lambda c: float(c["median"]))


def _against(bench: dict[str, Any], names: Collection[str]) -> str:
    """The median, over the rounds, of the time of the fastest of these over that of our fastest."""
    others = [c for c in bench["contestants"] if c["name"] in names and c["agrees"]]
    if not others:
        return "-"
    theirs = min(others, key=lambda c: float(c["median"]))
    ratios = sorted(b / a for a, b in zip(_ours(bench)["seconds"], theirs["seconds"], strict=True))
    return f"{ratios[len(ratios) // 2]:.2f}"


def _streamed(bench: dict[str, Any]) -> str:
    ours = _ours(bench)
    stream = bench.get("streams", {}).get(str(ours["threads"]))
    return f"{bench['bytes'] / ours['median'] / stream:.2f}" if stream else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument(
        "--script", default="-tuned", help="which script: -tuned, -fused, or the empty text for the plain"
    )
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--table", action="store_true", help="measure nothing")
    options = parser.parse_args()
    unknown = sorted(set(options.kernels) - set(SIZES))
    if unknown:
        parser.error(f"no such kernel: {', '.join(unknown)}")
    results = json.loads(options.results.read_text(encoding="utf-8")) if options.results.exists() else {}
    for kernel in () if options.table else options.kernels or SIZES:
        print(f"{kernel} ...", file=sys.stderr, flush=True)
        results[kernel] = measured(kernel, options.script, options.rounds, options.threads)
        options.results.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        results = json.loads(options.results.read_text(encoding="utf-8"))
    for line in table(results):
        print(line)


if __name__ == "__main__":
    main()
