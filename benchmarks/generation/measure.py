"""How long it takes to generate the C of every tuned kernel, and of chains of 100 tiled statements.

    .venv/bin/python -m benchmarks.generation.measure [KERNEL...]        # default: all, and the chains

Seconds are those of the processor, from the proved mapping to the text of the files; each script is a process of its
own. The chains are those of `tests/strategies/chains.py`: nests that follow each other, or one fused nest.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.strategies.chains import Chain

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples" / "kernels"
LENGTH = 100
LIMIT, CHAIN_LIMIT = 1.0, 20.0
"""The seconds that a kernel, and a chain, may take."""
COLUMNS, WIDTH = 4, 33

_GENERATE = """
import sys, time
from pathlib import Path
from alphaz.scripting.commands.generators import generate
from alphaz.diagnostics.source import Source
from alphaz.scripting.interpreter.run import Settings, run_script

seconds = []

def timed(wanted, verified):
    begun = time.process_time()
    try:
        return generate(wanted, verified)
    finally:
        seconds.append(time.process_time() - begun)

path = Path(sys.argv[1])
session = run_script(Source(str(path), path.read_text(encoding="utf-8")), path.parent, Settings(timed))
assert seconds and not session.has_errors
print(sum(seconds))
"""


def seconds(script: Path) -> float:
    """Of the processor, for generating what the script asks for."""
    command = [sys.executable, "-c", _GENERATE, str(script)]
    return float(subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout)


def chain(shape: str) -> float:
    """The same of a chain."""
    with tempfile.TemporaryDirectory() as folder:
        script = Chain(shape=shape, memory="own", length=LENGTH).write(Path(folder))
        asked = 'VerifyTargetMapping(prog, "chain", "MIN");\ngenerateScheduledCode(prog, "chain");\n'
        script.write_text(script.read_text(encoding="utf-8") + asked, encoding="utf-8")
        return seconds(script)


def table(found: Sequence[tuple[float, str]]) -> Iterator[str]:
    """The slowest first."""
    cells = [f"{name} {each:.2f}" for each, name in sorted(found, reverse=True)]
    for at in range(0, len(cells), COLUMNS):
        yield "".join(cell.ljust(WIDTH) for cell in cells[at : at + COLUMNS]).rstrip()


def main() -> None:
    every = sorted(path.parent.name for path in SAMPLES.glob("*/*-tuned.cs"))
    parser = argparse.ArgumentParser(description="Seconds of the processor for generating the C of tuned kernels.")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: all, and two chains of statements")
    kernels = parser.parse_args().kernels
    if unknown := sorted(set(kernels) - set(every)):
        parser.error(f"there is no tuned script of {', '.join(unknown)}; there are those of {', '.join(every)}")
    found = [(seconds(SAMPLES / kernel / f"{kernel}-tuned.cs"), kernel) for kernel in kernels or every]
    for line in table(found):
        print(line)
    late = [name for each, name in found if each > LIMIT]
    for shape in () if kernels else ("nests", "fused"):
        spent = chain(shape)
        print(f"{LENGTH} statements, {shape}: {spent:.1f}")
        late += [shape] if spent > CHAIN_LIMIT else []
    for name in late:
        print(f"{name}: too much, {LIMIT} s are allowed, {CHAIN_LIMIT} s for a chain")


if __name__ == "__main__":
    main()
