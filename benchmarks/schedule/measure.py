"""Schedules of `alphaz schedule` against scripts tuned by hand, Polly and plain C by gcc: in one run, alternately.

    .venv/bin/python -m benchmarks.schedule.measure                       # all kernels; writes results.json
    .venv/bin/python -m benchmarks.schedule.measure --small --rounds 3 --minutes 15
    .venv/bin/python -m benchmarks.schedule.measure gemm lu --rounds 3    # some, and the table of the others as it was
    .venv/bin/python -m benchmarks.schedule.measure --table               # only the table, from results.json

Sizes are those of benchmarks/kernels, halved with --small. With --minutes no kernel is begun after that time; those
that are left keep the figures of the run before, and are the first ones of the next run if there are none.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.kernels.measure import SAMPLES, SIZES, small_size

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
OTHERS = ("tuned", "polly", "gcc")
ALPHAZ = (sys.executable, "-m", "alphaz.cli.main")


def measured(kernel: str, rounds: int, threads: str, small: bool) -> dict[str, Any]:
    """The seconds of each round, by contestant: those of OTHERS, and `found`."""
    size = small_size(kernel) if small else SIZES[kernel]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / f"{kernel}.ab"
        for file in (SAMPLES / kernel).iterdir():
            if file.suffix in (".ab", ".c", ".h", ".py"):
                (folder / file.name).write_bytes(file.read_bytes())
        found = folder / "found.cs"
        _run("schedule", program, "-o", found)
        _run("run", SAMPLES / kernel / f"{kernel}-tuned.cs", "-o", folder / "tuned")
        tuned = folder / f"{kernel}-tuned.c"
        for file in (folder / "tuned").iterdir():
            place = folder / file.name if file.suffix == ".h" else tuned
            place.write_bytes(file.read_bytes())
        options = ("--threads", threads, "--rounds", str(rounds), "--format", "json", "--against")
        try:
            done = _run("bench", found, "-p", size, *options, f"polly,gcc,{tuned}", codes=(0, 1))
        except Broken as reason:
            print(f"{reason}; again without Polly", file=sys.stderr)
            done = _run("bench", found, "-p", size, *options, f"gcc,{tuned}", codes=(0, 1))
        (bench,) = json.loads(done)["benches"]
        script = found.read_text(encoding="utf-8")
    names = {"alphaz": "found", f"{kernel}-tuned": "tuned", "polly": "polly", "gcc": "gcc"}
    seconds = {
        f"{names[each['name']]}@{each['threads'] or 1}": each["seconds"] if each["agrees"] else []
        for each in bench["contestants"]
        if each["name"] in names
    }
    return {"size": size, "seconds": seconds, "script": script}


class Broken(Exception):
    """A process that did not do what was asked."""


def _run(*arguments: object, codes: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run([*ALPHAZ, *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in codes:
        raise Broken(f"alphaz {' '.join(map(str, arguments))} ended with status {done.returncode}")
    return done.stdout


def ratio(bench: dict[str, Any], other: str) -> float | None:
    """How many times as fast as the other one the found mapping is, each with the threads that suit it best."""
    ours, theirs = (_best(bench, name) for name in ("found", other))
    if not ours or not theirs:
        return None
    ratios = sorted(b / a for a, b in zip(ours, theirs, strict=True))
    return ratios[len(ratios) // 2]


def _best(bench: dict[str, Any], name: str) -> list[float]:
    found = [seconds for key, seconds in bench["seconds"].items() if key.startswith(f"{name}@") and seconds]
    return min(found, key=lambda seconds: sorted(seconds)[len(seconds) // 2], default=[])


def table(results: dict[str, Any]) -> Iterator[str]:
    yield f"{'kernel':27}{'found':>9}" + "".join(f"{'/' + other:>8}" for other in OTHERS)
    for kernel, bench in sorted(results.items()):
        seconds = sorted(_best(bench, "found"))
        shown = [f"{r:.2f}" if (r := ratio(bench, other)) is not None else "-" for other in OTHERS]
        median = f"{seconds[len(seconds) // 2]:8.3f}s" if seconds else f"{'wrong':>9}"
        yield f"{kernel:27}{median}" + "".join(f"{each:>8}" for each in shown)
    for other in OTHERS:
        ratios = [r for bench in results.values() if (r := ratio(bench, other)) is not None]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            yield f"geometric mean of /{other}, {len(ratios)} kernels: {mean:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--small", action="store_true", help="half the sizes")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no kernel after so long")
    parser.add_argument("--table", action="store_true", help="measure nothing")
    options = parser.parse_args()
    unknown = sorted(set(options.kernels) - set(SIZES))
    if unknown:
        parser.error(f"no such kernel: {', '.join(unknown)}")
    results = json.loads(options.results.read_text(encoding="utf-8")) if options.results.exists() else {}
    start = time.monotonic()
    # Where the time was over before, the next run goes on.
    every = options.kernels or sorted(SIZES, key=lambda kernel: kernel in results)
    for kernel in () if options.table else every:
        if time.monotonic() - start > 60 * options.minutes:
            print("the time is over", file=sys.stderr)
            break
        print(f"{kernel} ...", file=sys.stderr, flush=True)
        try:
            results[kernel] = measured(kernel, options.rounds, options.threads, options.small)
        except Broken as reason:
            print(reason, file=sys.stderr)
            continue
        options.results.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for line in table(results):
        print(line)


if __name__ == "__main__":
    main()
