"""Tuned scripts and found schedules against OpenBLAS, LAPACK and BLIS, at friendly and at bad strides.

    .venv/bin/python -m benchmarks.peers.measure --prepare     # schedules, on a machine that may be busy
    .venv/bin/python -m benchmarks.peers.measure --minutes 7   # measures what is prepared; the libraries' kernels
    .venv/bin/python -m benchmarks.peers.measure --all         # all kernels, with plain C by gcc and Polly
    .venv/bin/python -m benchmarks.peers.measure gemm --against "command:./mine"
    .venv/bin/python -m benchmarks.peers.measure --table       # only the table, from results.json

Rows of a matrix that lie a multiple of 4 kB apart use few sets of a cache: the strides 1536 and 2048 are bad ones.
A number above 1: ours is ahead. `!`: alphaz bench warns (noise, a busy machine, kernels for another processor), `?`:
other results.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.kernels.measure import SAMPLES, SIZES

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
FOUND = Path(tempfile.gettempdir()) / "alphaz-peers"
ALPHAZ = (sys.executable, "-m", "alphaz.cli.main")
LIBRARIES = ("numpy", "blis")

# The sizes of the kernels for which there is a routine: friendly, then bad strides.
LIBRARY_SIZES: dict[str, tuple[str, ...]] = {
    "gemm": ("NI=1000,NJ=1100,NK=1200", "NI=1536,NJ=1536,NK=1536", "NI=2048,NJ=2048,NK=512"),
    "trmm": ("M=1000,N=1200", "M=1536,N=1536", "M=2048,N=1024"),
    "lu": ("N=1200", "N=1536", "N=2048"),
    "cholesky": ("N=1400", "N=1536", "N=2048"),
    "ludcmp": ("N=1200", "N=1536", "N=2048"),
    "trisolv": ("N=12000", "N=8192"),
    "symm": ("M=1000,N=1000", "M=1536,N=1536"),
    "syrk": ("N=1200,M=1200", "N=1536,M=1536"),
    "syr2k": ("N=1000,M=1000", "N=1536,M=1536"),
    "2mm": ("NI=800,NJ=900,NK=1100,NL=1000", "NI=1536,NJ=1024,NK=1536,NL=1024"),
    "3mm": ("NI=800,NJ=900,NK=1000,NL=1000,NM=1100",),
    "doitgen": ("R=150,Q=140,P=160",),
    "covariance": ("M=800,N=1000", "M=1536,N=1536"),
    "correlation": ("M=1000,N=1200", "M=1536,N=1536"),
    "gramschmidt": ("M=800,N=700",),
    "atax": ("M=9000,N=9000",),
    "bicg": ("M=9000,N=9000",),
    "gemver": ("N=8000", "N=8192"),
    "gesummv": ("N=8000",),
    "mvt": ("N=8000", "N=8192"),
}


# The kernels that are measured first, at all sizes.
FIRST = ("gemm", "trmm", "lu", "cholesky", "ludcmp", "trisolv")


@dataclass(frozen=True)
class Options:
    rounds: int
    threads: str
    peers: tuple[str, ...]
    wait: float


def prepare(kernel: str) -> Path:
    """The script that `alphaz schedule` finds, next to the program and its peers; made once."""
    folder = FOUND / kernel
    script = folder / f"{kernel}-found.cs"
    folder.mkdir(parents=True, exist_ok=True)
    for file in (SAMPLES / kernel).iterdir():
        if file.suffix in (".ab", ".c", ".h", ".py"):
            (folder / file.name).write_bytes(file.read_bytes())
    if not script.exists():
        program = folder / f"{kernel}.ab"
        subprocess.run([*ALPHAZ, "schedule", program, "-o", script], check=True, stdout=subprocess.DEVNULL)
    return script


def measured(kernel: str, size: str, options: Options) -> dict[str, Any] | None:
    """One size, as `alphaz bench --format json` reports it; None if that failed."""
    scripts = [SAMPLES / kernel / f"{kernel}-tuned.cs", prepare(kernel)]
    command = [*ALPHAZ, "bench", *map(str, scripts), "-p", size, "--threads", options.threads]
    command += ["--rounds", str(options.rounds), "--wait", str(options.wait), "--format", "json"]
    for peer in options.peers:
        command += ["--against", peer]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        print(f"{kernel} {size}: alphaz bench ended with status {done.returncode}", file=sys.stderr)
        return None
    (bench,) = json.loads(done.stdout)["benches"]
    return {**bench, "kernel": kernel, "size": size}


def table(results: dict[str, Any]) -> Iterator[str]:
    """A line for each size: our milliseconds, and the time of the best library over ours, on one thread and on two."""
    threads = sorted({c["threads"] for bench in results.values() for c in bench["contestants"] if c["threads"]})
    head = "".join(f"{f'ms@{count}':>10}{f'best@{count}':>12}{f'/best@{count}':>9}" for count in threads)
    yield f"{'kernel':12}{'size':38}{head}{'found':>8}"
    for bench in results.values():
        cells = "".join(_cells(bench, count) for count in threads)
        found = _ratio(_best(bench, "-tuned"), _best(bench, "-found"))
        flag = "!" if bench["warnings"] else ""
        yield f"{bench['kernel']:12}{bench['size']:38}{cells}{found:>8} {flag}"
    yield "/best: the time of the best peer over that of the tuned script; found: the time of the tuned script over"
    yield "that of the found schedule, each with its better number of threads. Medians of the ratios within rounds."
    blas = {str(sorted({b["name"] + " " + b["version"] + " " + b["core"] for b in c["blas"]}))
            for bench in results.values() for c in bench["contestants"] if c["blas"]}  # fmt: skip
    yield from sorted(blas)
    yield from dict.fromkeys(f"{b['kernel']} {b['size']}: {text}" for b in results.values() for text in b["warnings"])


def _cells(bench: dict[str, Any], threads: int) -> str:
    ours = _best(bench, "-tuned", threads)
    peers = [c for c in bench["contestants"] if not _is_ours(c) and c["threads"] in (threads, None)]
    best = min(peers, key=lambda c: float(c["median"]), default=None)
    name = "-" if best is None else best["name"] + ("" if best["agrees"] else "?")
    milliseconds = "-" if ours is None else f"{1e3 * ours['median']:.2f}"
    return f"{milliseconds:>10}{name[:11]:>12}{_ratio(best, ours):>9}"


def _is_ours(contestant: dict[str, Any]) -> bool:
    return str(contestant["name"]).endswith(("-tuned", "-found"))


def _best(bench: dict[str, Any], suffix: str, threads: int | None = None) -> dict[str, Any] | None:
    own = [c for c in bench["contestants"] if c["name"].endswith(suffix) and threads in (None, c["threads"])]
    return min(own, key=lambda c: float(c["median"]), default=None)


def _ratio(theirs: dict[str, Any] | None, ours: dict[str, Any] | None) -> str:
    if theirs is None or ours is None:
        return "-"
    ratios = sorted(b / a for a, b in zip(ours["seconds"], theirs["seconds"], strict=True))
    return f"{ratios[len(ratios) // 2]:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: those with a routine of a library")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--against", action="append", default=[], help="one more peer, as of alphaz bench")
    parser.add_argument("--wait", type=float, default=20, help="seconds for idle processors, before each size")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no size after so long")
    parser.add_argument("--all", action="store_true", help="all kernels, also against gcc and Polly")
    parser.add_argument("--friendly", action="store_true", help="only the first size of each kernel")
    parser.add_argument("--prepare", action="store_true", help="schedules only; measure nothing")
    parser.add_argument("--table", action="store_true", help="measure nothing")
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    kernels = options.kernels or list(SIZES if options.all else LIBRARY_SIZES)
    unknown = sorted(set(kernels) - set(SIZES))
    if unknown:
        parser.error(f"no such kernel: {', '.join(unknown)}")
    results = json.loads(options.results.read_text(encoding="utf-8")) if options.results.exists() else {}
    if options.prepare:
        for kernel in kernels:
            print(prepare(kernel), file=sys.stderr, flush=True)
        return
    peers = (*LIBRARIES, *(("gcc", "polly") if options.all else ()), *options.against)
    asked = Options(options.rounds, options.threads, peers, options.wait)
    start = time.monotonic()
    sizes = [(kernel, size) for kernel in kernels for size in LIBRARY_SIZES.get(kernel, (SIZES[kernel],))]
    if options.friendly:
        sizes = [(kernel, size) for kernel, size in sizes if size == LIBRARY_SIZES.get(kernel, (SIZES[kernel],))[0]]
    # Where the time is over, the essential sizes are there: all of these kernels, then the friendly ones of others.
    sizes.sort(key=lambda pair: pair[0] not in FIRST and LIBRARY_SIZES.get(pair[0], (pair[1],)).index(pair[1]) + 1)
    for kernel, size in () if options.table else sizes:
        if time.monotonic() - start > 60 * options.minutes:
            print("the time is over", file=sys.stderr)
            break
        print(f"{time.monotonic() - start:5.0f} s  {kernel} {size} ...", file=sys.stderr, flush=True)
        bench = measured(kernel, size, asked)
        if bench is not None:
            results[f"{kernel} {size}"] = bench
            options.results.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for line in table(results):
        print(line)


if __name__ == "__main__":
    main()
