"""The kernels of `samples/gpu` on the GPU of this machine, against the same by CuPy or PyTorch: `alphaz bench --target
cuda` of each script, and `peers.py`.

    benchmarks/cuda/run                 # all rows that fit into four minutes; writes results.json
    benchmarks/cuda/run gemm            # those of some scripts
    benchmarks/cuda/run --table         # only the table, from results.json

Times are medians of events of the GPU, without copies between host and GPU. Without a GPU the exit code is 1.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from alphaz.run.cuda.cpu_program import has_gpu
from alphaz.run.cuda.device import gpu_here

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results.json"
BUDGET = 240.0
"""The seconds of all measurements together."""
LEAST = 20.0
"""With fewer seconds left, no row begins."""
WITHOUT_GPU = """\
no GPU, or no nvcc: kernels are measured on a machine with both (`nvidia-smi -L` and `nvcc --version` must succeed; the
extra `cuda` of alphaz installs nvcc). `alphaz test --target cuda` executes them here, `alphaz explain-cost` estimates
their times."""


@dataclass(frozen=True, slots=True)
class Row:
    """A script of `samples/gpu` at some sizes. `peer`: the function of `peers.py` that computes the same."""

    script: str
    sizes: str
    peer: str


ROWS = (
    Row("gemm/gemm", "NI=4096,NJ=4096,NK=4096", "gemm"),
    Row("sum/sum", "N=67108864", "sums"),
    Row("jacobi/jacobi-2d", "N=8192,T=48", "jacobi_2d"),
    Row("gemm/gemm", "NI=4001,NJ=4001,NK=4001", "gemm"),
    Row("jacobi/jacobi-1d", "N=16777216,T=64", "jacobi_1d"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """The median of the seconds, None where there are none, for the reason in `remark`; `peer` is that of `library`."""

    script: str
    sizes: str
    seconds: float | None = None
    peer: float | None = None
    library: str = ""
    remark: str = ""


def measured(row: Row, seconds: float) -> Measured:
    """Returns the times of a row, which takes at most so many seconds."""
    begun = time.monotonic()
    script = ROOT / "samples" / "gpu" / f"{row.script}.cs"
    options = [
        "--target",
        "cuda",
        "--threads",
        "1",
        "--rounds",
        "3",
        "--wait",
        "0",
        "--against",
        "",
        "--format",
        "json",
    ]
    command = [sys.executable, "-m", "alphaz", "bench", str(script), "-p", row.sizes, *options]
    own, remark = _json(command, seconds)
    left = seconds - (time.monotonic() - begun)
    peer, lacking = _json([sys.executable, "-m", "benchmarks.cuda.peers", row.peer, row.sizes], left)
    return Measured(
        script=row.script,
        sizes=row.sizes,
        seconds=_median(own),
        peer=_number(peer.get("seconds")),
        library=str(peer.get("library", "")),
        remark="; ".join(filter(None, (remark, lacking))),
    )


def _median(bench: Mapping[str, object]) -> float | None:
    match bench:
        case {"benches": [{"contestants": [{"median": median}, *_]}, *_]}:
            return _number(median)
    return None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _json(command: Sequence[str], seconds: float) -> tuple[Mapping[str, object], str]:
    """Returns the printed value of a program, empty with the reason where there is none."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=max(1, seconds))
    except subprocess.TimeoutExpired:
        return {}, "out of time"
    if done.returncode:
        return {}, next(iter(done.stderr.splitlines()), f"status {done.returncode}")
    value = json.loads(done.stdout)
    return (value, "") if isinstance(value, dict) else ({}, "no result")


def table(gpu: str, rows: Sequence[Measured]) -> Iterator[str]:
    """Yields the lines of a table."""
    yield f"{gpu}: milliseconds, medians of events"
    yield f"{'kernel':20} {'sizes':26} {'alphaz':>12}{'library':>13}  of the library"
    for row in rows:
        share = "-" if row.seconds is None or row.peer is None else f"{row.peer / row.seconds:.2f} of {row.library}"
        times = "".join(
            f"{'not measured' if s is None else format(1e3 * s, '.3f'):>13}" for s in (row.seconds, row.peer)
        )
        yield f"{row.script:20} {row.sizes:26}{times}  {share}{f'  ({row.remark})' if row.remark else ''}"


def _milliseconds(seconds: float | None) -> str:
    return f"{'not measured' if seconds is None else format(1e3 * seconds, '.3f'):>13}"


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    if not options.table:
        if not has_gpu():
            sys.stderr.write(f"{WITHOUT_GPU}\n")
            return 1
        end, rows = time.monotonic() + BUDGET, list[Measured]()
        for row in ROWS:
            left = end - time.monotonic()
            if any(word in row.script for word in options.words or [""]):
                late = Measured(row.script, row.sizes, remark="out of time")
                rows.append(measured(row, left) if left > LEAST else late)
                sys.stderr.write(f"{row.script} {row.sizes}\n")
        gpu = gpu_here()
        value = {"gpu": gpu.name if gpu else "a GPU", "rows": [asdict(row) for row in rows]}
        RESULTS.write_text(json.dumps(value, indent=2) + "\n")
    if not RESULTS.is_file():
        sys.stderr.write("not measured: there is no results.json\n")
        return 1
    value = json.loads(RESULTS.read_text())
    sys.stdout.write("\n".join([*table(value["gpu"], [Measured(**row) for row in value["rows"]]), ""]))
    return 0


def _options(arguments: list[str]) -> argparse.Namespace:
    options = argparse.ArgumentParser("benchmarks/cuda/run", description=(__doc__ or "").split("\n\n")[0])
    options.add_argument("words", nargs="*", help="parts of the names of scripts (default: all)")
    options.add_argument("--table", action="store_true", help="only the table, from results.json")
    return options.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
