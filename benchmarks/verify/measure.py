"""How long the verifier takes: for chains of 10 to 300 tiled statements over 3-D domains, and for every sample.

    .venv/bin/python -m benchmarks.verify.measure [counts...]            # default: 10 30 100 300
    .venv/bin/python -m benchmarks.verify.measure --json figures.json --plot figures.png

Each chain is verified by a process of its own. Seconds are those of the processor, so that other work on the machine
does not count; only the comparison of `--jobs` is by the clock. The chains are those of `tests/strategies/chains.py`:
nests that follow each other, or one fused nest; memory of their own, two spaces by turns, or three statements a space.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic

from tests.strategies.chains import Chain

ROOT = Path(__file__).parents[2]
KINDS = (("nests", "own"), ("nests", "turns"), ("fused", "own"), ("fused", "threes"))
LIMITS = {300: 60.0}
"""Statements -> the seconds that reading and proving may take."""
SAMPLE = 0.3
"""The seconds that proving a sample may take."""


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds for reading the program and the script, and for proving the mapping."""

    shape: str
    memory: str
    statements: int
    obligations: int
    read: float
    prove: float

    @property
    def each(self) -> float:
        """Milliseconds for one obligation."""
        return 1000 * self.prove / self.obligations


_CHAIN = """
import alphaz.cli, json, sys, time
from alphaz.scripting.interpreter.python_api import run
from alphaz.legality.verify import verify
begun = time.process_time()
design = run(sys.argv[1])
read = time.process_time()
report = verify(design)
proved = time.process_time()
assert report.is_proved
print(json.dumps([len(report.systems[0].results), read - begun, proved - read]))
"""

_SAMPLES = """
import alphaz.cli, json, sys, time
from alphaz.cli.verification import ScriptVerdict, VerificationTask, WorkQueue, rule
from alphaz.processes.task_pool import Pool
from pathlib import Path
found = []
for path in sys.argv[1:]:
    task = VerificationTask(path, Path(path).read_text(encoding="utf-8"), patience=1e9)
    work = Pool(rule, WorkQueue().follow).run([task])
    begun = time.process_time()
    for _, result in work:
        ended = time.process_time()
        if isinstance(result, ScriptVerdict):
            found.append([ended - begun, path])
        begun = ended
print(json.dumps(sorted(found, reverse=True)))
"""


def measured(chain: Chain) -> Row:
    """The chain is proved."""
    with tempfile.TemporaryDirectory() as folder:
        count, read, prove = _asked(_CHAIN, [str(chain.write(Path(folder)))])
    return Row(chain.shape, chain.memory, chain.length, count, read, prove)


def samples() -> list[tuple[float, str]]:
    """The seconds for each mapping of each script of the samples, the slowest first."""
    scripts = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "samples").rglob("*.cs"))
    return [(seconds, path) for seconds, path in _asked(_SAMPLES, scripts)]


def walls(chain: Chain, jobs: Iterable[int]) -> Iterator[tuple[int, float]]:
    """Seconds by the clock of the whole command."""
    with tempfile.TemporaryDirectory() as folder:
        script = str(chain.write(Path(folder)))
        for count in jobs:
            begun = monotonic()
            command = [sys.executable, "-m", "alphaz.cli.main", "verify", "--jobs", str(count), script]
            subprocess.run(command, capture_output=True, cwd=ROOT, check=True)
            yield count, monotonic() - begun


def _asked(code: str, arguments: list[str]) -> list[list]:
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    return json.loads(done.stdout)


def table(rows: Iterable[Row]) -> Iterator[str]:
    """A line for each row, with a bar for the time of one obligation."""
    yield "nests  memory  statements  obligations  reading  proving  ms/obligation"
    for row in rows:
        times = f"{row.read:8.2f} {row.prove:8.2f} {row.each:14.2f}  {'#' * round(20 * row.each)}"
        yield f"{row.shape:6} {row.memory:6} {row.statements:11d} {row.obligations:12d} {times}"
        if row.read + row.prove > LIMITS.get(row.statements, float("inf")):
            yield f"       too much: {LIMITS[row.statements]:.0f} s are allowed"


def plot(rows: list[Row], file: Path) -> None:
    """The time of one obligation, and the whole time, by the number of statements."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only for the figure

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for shape, memory in KINDS:
        chosen = [row for row in rows if (row.shape, row.memory) == (shape, memory)]
        counts = [row.statements for row in chosen]
        left.plot(counts, [row.each for row in chosen], "o-", label=f"{shape}, {memory}")
        right.plot(counts, [row.prove for row in chosen], "o-", label=f"{shape}, {memory}")
    left.set(title="one obligation", xlabel="statements", ylabel="milliseconds", xscale="log", ylim=(0, None))
    right.set(title="the whole proof", xlabel="statements", ylabel="seconds", xscale="log", yscale="log")
    left.legend()
    figure.savefig(file, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("counts", type=int, nargs="*", default=[10, 30, 100, 300])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw them (PNG, with matplotlib)")
    options = parser.parse_args()
    rows: list[Row] = []

    def each() -> Iterator[Row]:
        for shape, memory in KINDS:
            for count in options.counts:
                rows.append(measured(Chain(count, shape, memory)))
                yield rows[-1]

    for line in table(each()):
        print(line, flush=True)
    times = samples()
    print(f"\nsamples: {len(times)} mappings, {sum(s for s, _ in times):.2f} s; the slowest:")
    for seconds, path in times[:5]:
        print(f"{seconds:8.3f} {path}{f', and {SAMPLE} s are allowed' if seconds > SAMPLE else ''}")
    clock = dict(walls(Chain(max(options.counts), *KINDS[-1]), (1, 2)))
    print(f"\n{max(options.counts)} statements ({', '.join(KINDS[-1])}) by the clock, the whole command:")
    for jobs, seconds in clock.items():
        print(f"{seconds:8.2f} --jobs {jobs}")
    if options.json:
        proved = {path: seconds for seconds, path in times}
        found = {"chains": [asdict(row) for row in rows], "samples": proved, "jobs": clock}
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.plot:
        plot(rows, options.plot)


if __name__ == "__main__":
    main()
