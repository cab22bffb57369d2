"""How long `alphaz check` takes, and how much memory, for programs of 100 to 1,000 equations over 3-D domains.

    .venv/bin/python benchmarks/check/measure.py [counts...] [--plot time.png]     # default: 100 200 300 500 700 1000

Each program is checked by a process of its own, from its text to its findings. A small program is checked before it, so
that what is done once (the tables of the grammar) is not counted as time of equations: it is the start. Seconds are
those of the processor, so that other work on the machine does not count. The plot needs matplotlib, of the extra
`bench`.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

COUNTS = (100, 200, 300, 500, 700, 1000)
LIMITS = {1000: (10.0, 500.0)}
"""Equations -> the seconds and megabytes that they may take."""


def program(count: int) -> str:
    """A system of `count` equations of five kinds, each over a prism that begins at i = 0, 1 or 2."""
    lines = ["affine measured {N,M | N>=4 && M>=4}", "input", "\tdouble X {i,j,k | 0<=i<N && 0<=j<M && 0<=k<=i};"]
    lines += ["output", f"\t{_declaration(count - 1)}"]
    lines += ["local", *(f"\t{_declaration(at)}" for at in range(count - 1))] if count > 1 else []
    return "\n".join([*lines, "let", *(f"\tV{at}[i,j,k] = {_body(at)};" for at in range(count)), ".", ""])


def _start(at: int) -> int:
    return at % 3 if at >= 0 else 0


def _declaration(at: int) -> str:
    start = _start(at)
    return f"double V{at} {{i,j,k | {start}<=i<N+{start} && 0<=j<M && {start}<=k+{start}<=i}};"


def _body(at: int) -> str:
    start, shift = _start(at), _start(at - 1) - _start(at)
    before = f"V{at - 1}" if at else "X"

    def read(j: str = "j", k: str = "k") -> str:
        return f"{before}[i{shift:+},{j},{k}]" if shift else f"{before}[i,{j},{k}]"

    bodies = (
        f"case {{| i=={start}}} : {read()}; {{| i>{start} && k+{start}<i}} : V{at}[i-1,j,k] + 0.5 * {read()};"
        f" {{| i>{start} && k+{start}==i}} : {read()}; esac",
        f"case {{| j==0}} : {read()}; {{| 0<j<M-1}} : {read('j-1')} + {read('j+1')}; {{| j==M-1}} : -{read()}; esac",
        f"reduce(+, [l], {{| 0<=l<=k}} : {read(k='l')} * [l])",
        f"if {read()} > 0.0 then max({read(k='0')}, 1.0) else case {{| k>0}} : {read(k='k-1')}; {{| k==0}} : 2.0; esac",
        read("M-1-j", f"i-k-{start}"),
    )
    return bodies[at % len(bodies)]


_CHILD = """
import json, resource, sys, time
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
small, _, text = sys.stdin.read().partition("====")
read_program(Source("small.ab", small))
begun = time.process_time()
checked = read_program(Source("measured.ab", text))
seconds = time.process_time() - begun
megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([begun, seconds, megabytes, len(checked.warnings)]))
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """`start` is the time of the process before the program, `seconds` that of the program."""

    count: int
    start: float
    seconds: float
    megabytes: float

    @property
    def each(self) -> float:
        """Milliseconds for one equation."""
        return 1000 * self.seconds / self.count

    @property
    def is_too_much(self) -> bool:
        seconds, megabytes = LIMITS.get(self.count, (float("inf"), float("inf")))
        return self.start + self.seconds > seconds or self.megabytes > megabytes

    def __str__(self) -> str:
        line = f"{self.count:9d} {self.start:8.2f} {self.seconds:8.2f} {self.megabytes:8.0f} {self.each:12.2f}"
        return f"{line}  {'#' * round(4 * self.each)}{'  too much' if self.is_too_much else ''}"


HEAD = "equations    start  seconds       MB  ms/equation"


def measured(count: int) -> Measured:
    """The program has no findings."""
    texts = f"{program(5)}===={program(count)}"
    done = subprocess.run([sys.executable, "-c", _CHILD], input=texts, capture_output=True, text=True, check=True)
    start, seconds, megabytes, findings = json.loads(done.stdout)
    assert findings == 0
    return Measured(count, start, seconds, megabytes)


def plot(rows: list[Measured], path: Path) -> None:
    """Milliseconds for one equation over the number of equations."""
    from matplotlib import pyplot  # noqa: PLC0415 - of the extra `bench`

    figure, axes = pyplot.subplots(figsize=(6, 3.2), layout="constrained")
    axes.plot([row.count for row in rows], [row.each for row in rows], marker="o", color="#1f5f8b")
    last = rows[-1]
    axes.axhline(10.0, color="#b03030", linestyle="--", linewidth=1)
    axes.annotate("10 s for 1,000 equations", (rows[0].count, 10.0), (0, -11), textcoords="offset points", fontsize=8)
    said = f"{last.count:,} equations: {last.start + last.seconds:.1f} s with the start, {last.megabytes:.0f} MB"
    axes.set(xlabel="equations over 3-D domains", ylabel="ms for one equation", title=said, xlim=0, ylim=(0, 12))
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("counts", type=int, nargs="*", default=COUNTS)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also draw the time of one equation")
    options = parser.parse_args()
    print(HEAD)
    rows: list[Measured] = []
    for count in options.counts:
        rows.append(measured(count))
        print(rows[-1], flush=True)
    if options.plot is not None:
        plot(rows, options.plot)


if __name__ == "__main__":
    main()
