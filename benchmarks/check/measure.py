"""How long `alphaz check` takes, and how much memory, for programs of 100 to 1,000 equations over 3-D domains.

    .venv/bin/python benchmarks/check/measure.py [counts...]     # default: 100 200 500 1000

Each program is checked by a process of its own, from its text to its findings. Seconds are those of the processor, so
that other work on the machine does not count.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator

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
begun = time.process_time()
checked = read_program(Source("measured.ab", sys.stdin.read()))
seconds = time.process_time() - begun
megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([seconds, megabytes, len(checked.warnings)]))
"""


def measured(count: int) -> tuple[float, float]:
    """Seconds and megabytes; the program has no findings."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD], input=program(count), capture_output=True, text=True, check=True
    )
    seconds, megabytes, findings = json.loads(done.stdout)
    assert findings == 0
    return seconds, megabytes


def rows(counts: list[int]) -> Iterator[str]:
    """The table: a line for each number of equations, with a bar for the time of one equation."""
    yield "equations  seconds       MB  ms/equation"
    for count in counts:
        seconds, megabytes = measured(count)
        each = 1000 * seconds / count
        yield f"{count:9d} {seconds:8.2f} {megabytes:8.0f} {each:12.2f}  {'#' * round(4 * each)}"
        allowed = LIMITS.get(count)
        if allowed and (seconds > allowed[0] or megabytes > allowed[1]):
            yield f"          too much: {allowed[0]:.0f} s and {allowed[1]:.0f} MB are allowed"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("counts", type=int, nargs="*", default=[100, 200, 500, 1000])
    for line in rows(parser.parse_args().counts):
        print(line, flush=True)


if __name__ == "__main__":
    main()
