"""How long scripts of 300 commands take on a program of 50 variables: interpreting them, without verdicts and code.

    .venv/bin/python benchmarks/script/measure.py            # all kinds
    .venv/bin/python benchmarks/script/measure.py mappings   # one kind

Each script runs in a process of its own, from its text to the design. Seconds are those of the processor, so that other
work on the machine does not count.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator

COMMANDS = 300
VARIABLES = 50
LIMIT = 10.0
"""The seconds that a script may take."""


def program() -> str:
    """An input, an output, and locals that each read the two before them, every fifth as a reduction."""
    names = [f"V{at}" for at in range(VARIABLES - 2)]
    lines = ["affine measured {N,M | N>=4 && M>=4}", "input", "\tdouble X {i,j | 0<=i<N && 0<=j<M};", "output"]
    lines += ["\tdouble Y {i,j | 0<=i<N && 0<=j<M};", "local"]
    lines += [f"\tdouble {name} {{i,j | 0<=i<N && 0<=j<M}};" for name in names]
    lines += [
        "let",
        *(f"\t{name}[i,j] = {_body(at)};" for at, name in enumerate(names)),
        f"\tY[i,j] = {names[-1]}[i,j];",
    ]
    return "\n".join([*lines, ".", ""])


def _body(at: int) -> str:
    one, two = (f"V{at - back}" if at >= back else "X" for back in (1, 2))
    bodies = (
        f"case {{| i==0}} : {one}[i,j]; {{| i>0}} : V{at}[i-1,j] + {two}[i,j]; esac",
        f"case {{| j==0}} : {one}[i,j]; {{| 0<j<M-1}} : {one}[i,j-1] + {two}[i,j+1]; {{| j==M-1}} : -{one}[i,j]; esac",
        f"{one}[i,j] * 0.5 + {two}[i,j]",
        f"reduce(+, [k], {{| 0<=k<=j}} : {one}[i,k] * {two}[i,j])",
        f"if {one}[i,j] > 0.0 then max({two}[i,j], 1.0) else {one}[N-1-i,j]",
    )
    return bodies[at % len(bodies)]


def _mappings() -> Iterator[str]:
    for at in range(COMMANDS - 1):
        name = f"V{at % (VARIABLES - 2)}"
        yield (
            f'setSpaceTimeMap(prog, "measured", "{name}", "(i,j->{at},i,j)");',
            f'setMemoryMap(prog, "measured", "{name}", "cells{at % 7}", "(i,j->i,j)", "2,0");',
            'setParallel(prog, "measured", "", 1);',
            f'setStatementOrdering(prog, "measured", "{name}", "Y");',
        )[at % 4]


def _rewritings() -> Iterator[str]:
    """Each rewrites the program once."""
    kinds: list[Callable[[int], str]] = [
        lambda at: f'RenameVariable(prog, "measured", "V{at}", "W{at}");',
        lambda at: f'CoB(prog, "measured", "W{at}", "(i,j->i+j+1,j)");',
        lambda at: f'CoB(prog, "measured", "W{at}", "(i,j->i-j-1,j)");',
        lambda at: f'Split(prog, "measured", "W{at}", "S{at}", "{{i,j|i==1}}");',
        lambda at: f'Merge(prog, "measured", "W{at}", "S{at}", "V{at}");',
        lambda at: f'AddLocal(prog, "measured", "L{at}", "V{at}[i,j]", "i,j");',
        lambda at: f'InlineAll(prog, "measured", "L{at}");',
        lambda _: 'RemoveUnusedVariables(prog, "measured");',
    ]
    for at in range(COMMANDS - 1):
        yield kinds[at % len(kinds)](at // len(kinds) % (VARIABLES - 3))


def _mixed() -> Iterator[str]:
    """As people write: a few transformations, then the mapping, now and then a look at it."""
    yield from ("Normalize(prog);", "NormalizeReduction(prog);", "Simplify(prog);", "AShow(prog);")
    rewritings, mappings = list(_rewritings())[:96], list(_mappings())
    yield from rewritings
    yield from ('PrintAST(prog, "measured");', 'listSpaceTimeMaps(prog, "measured");')
    yield from mappings[: COMMANDS - 1 - 102]


KINDS: dict[str, Callable[[], Iterator[str]]] = {"mappings": _mappings, "rewritings": _rewritings, "mixed": _mixed}

_CHILD = """
import json, sys, time
from pathlib import Path
from alphaz.diagnostics import Source
from alphaz.scripting.interpreter.verification_cache import Judge
from alphaz.scripting.interpreter.run import Interpreter, Settings
program, script = json.load(sys.stdin)
place = Path("measured.ab")
begun = time.process_time()
run = Interpreter(Path(), Settings(), Judge())
run.saved[place.resolve()] = program
run.execute(Source("measured.cs", script))
seconds = time.process_time() - begun
print(json.dumps([seconds, [f.message for f in run.findings if f.is_error]]))
"""


def measured(kind: str) -> float:
    """Seconds; the script has no errors."""
    script = "\n".join(['prog = ReadAlphabets("measured.ab");', *KINDS[kind]()])
    assert script.count("\n") == COMMANDS - 1
    text = json.dumps([program(), script])
    done = subprocess.run([sys.executable, "-c", _CHILD], input=text, capture_output=True, text=True, check=True)
    seconds, errors = json.loads(done.stdout)
    assert errors == [], errors[:3]
    return float(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="kind", help=", ".join(KINDS))
    print("script      seconds  ms/command")
    for kind in parser.parse_args().kinds or KINDS:
        seconds = measured(kind)
        over = f"  too much: {LIMIT:.0f} s are allowed" if seconds > LIMIT else ""
        print(f"{kind:10} {seconds:8.2f} {1000 * seconds / COMMANDS:11.1f}{over}", flush=True)


if __name__ == "__main__":
    main()
