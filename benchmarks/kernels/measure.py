"""The classic kernels against plain C by gcc, the same by clang with Polly, and NumPy or SciPy: `alphaz bench` of every
tuned script of `samples/kernels`, at sizes for which plain C takes about 0.3 to 3 s.

    .venv/bin/python benchmarks/kernels/measure.py                       # all kernels; writes results.json
    .venv/bin/python benchmarks/kernels/measure.py gemm lu --rounds 3    # some, and the table of the others as it was
    .venv/bin/python benchmarks/kernels/measure.py --table               # only the table, from results.json

Each kernel is measured in a process of its own, all contestants alternately; a kernel with several scripts is measured
with the fastest of those that SCRIPTS names.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAMPLES = ROOT / "samples" / "kernels"
RESULTS = HERE / "results.json"

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
    "knapsack": "N=300,W=3000",
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


def measured(kernel: str, script: str, rounds: int, threads: str) -> dict[str, Any]:
    """One kernel, as `alphaz bench --format json` reports it."""
    path = SAMPLES / kernel / f"{kernel}{script}.cs"
    command = [sys.executable, "-m", "alphaz.cli.main", "bench", str(path), "-p", SIZES[kernel]]
    command += ["--threads", threads, "--rounds", str(rounds), "--against", "gcc,polly,numpy", "--format", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{kernel}: alphaz bench ended with status {done.returncode}")
    (bench,) = json.loads(done.stdout.replace(f"{ROOT}/", ""))["benches"]
    return {**bench, "script": path.name}


def table(results: dict[str, Any]) -> Iterator[str]:
    """A line for each kernel: the seconds of plain gcc, and how many times as fast as that the others are."""
    columns = [(name, threads) for name in ("alphaz", "polly", "numpy") for threads in (1, 2)]
    yield f"{'kernel':28}{'gcc':>8}" + "".join(f"{f'{name}@{count}':>10}" for name, count in columns) + f"{'best':>8}"
    for kernel, bench in sorted(results.items()):
        found = {(c["name"], c["threads"] or 1): c for c in bench["contestants"]}
        base = found[("gcc", 1)]
        cells = "".join(f"{_cell(found.get(column)):>10}" for column in columns)
        yield f"{kernel:28}{base['median']:7.2f}s{cells}{_against_the_best(bench):8.2f}"
    yield "best: our fastest time against that of the fastest of all others; above 1 we are faster. !: another result"


def _cell(contestant: dict[str, Any] | None) -> str:
    if contestant is None:
        return "-"
    return f"{contestant['speedup']:.2f}{'' if contestant['agrees'] else '!'}"


def _against_the_best(bench: dict[str, Any]) -> float:
    """The median, over the rounds, of the least time of the others over our least."""
    ours = min((c for c in bench["contestants"] if c["name"] == "alphaz"), key=lambda c: c["median"])
    others = [c for c in bench["contestants"] if c["name"] != "alphaz" and c["agrees"]]
    theirs = min(others, key=lambda c: c["median"])
    ratios = sorted(b / a for a, b in zip(ours["seconds"], theirs["seconds"], strict=True))
    return float(ratios[len(ratios) // 2])


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
    for line in table(results):
        print(line)


if __name__ == "__main__":
    main()
