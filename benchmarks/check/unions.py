"""How long `alphaz check` takes where a case has many branches, each a union of polyhedra in many dimensions.

    .venv/bin/python benchmarks/check/unions.py [--seeds 3] [--plot unions.png]

Programs are drawn: the whole space is split again and again along a random hyperplane until there are so many pieces,
which are dealt out to the branches. `whole` has all of them, `hole` lacks one branch, `twice` has a piece with one
condition less, which may overlap another. Each is checked by a process of its own; seconds are those of the processor,
start included. `z3` says how many answers came from the second engine. The plot needs matplotlib, of the extra `bench`.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path
from statistics import median

SIZES = ((3, 10, 5), (5, 20, 10), (8, 40, 20), (10, 80, 40), (12, 120, 40), (13, 157, 40), (14, 200, 100))
"""Dimensions, pieces, branches."""
KINDS = ("whole", "hole", "twice")


def program(seed: int, dimensions: int, pieces: int, branches: int, kind: str) -> str:
    rng = random.Random(f"{seed} {dimensions} {pieces}")
    names = [f"i{at}" for at in range(dimensions)]
    leaves: list[list[str]] = [[]]
    while len(leaves) < pieces:
        leaf = leaves.pop(rng.randrange(len(leaves)))
        left, right = _hyperplane(rng, names)
        leaves += [[*leaf, f"{left}>={right}"], [*leaf, f"{left}<{right}"]]
    rng.shuffle(leaves)
    if kind == "twice":
        leaves[0] = leaves[0][:-1]
    groups = [leaves[at::branches] for at in range(branches)]
    groups = groups[1:] if kind == "hole" else groups
    index = ",".join(names)
    lines = [
        "affine unions {N,M | N>=3 && M>=2}",
        f"input int A {{i | 0<=i<={dimensions}N+{dimensions}M}};",
        f"output int X {{{index} | {' && '.join(f'0<={name}<=N+M' for name in names)}}};",
        f"let X[{index}] = case",
        *(f"{_union(group)} : A[{names[at % dimensions]}];" for at, group in enumerate(groups)),
        "esac;",
        ".",
    ]
    return "\n".join(lines)


def _hyperplane(rng: random.Random, names: list[str]) -> tuple[str, str]:
    first, *others = rng.sample(names, rng.choice((1, 1, 2, 2, 3)))
    left = f"{rng.choice(('', '', '', '2'))}{first}" + "".join(f"{rng.choice('+-')}{name}" for name in others)
    return left, rng.choice(("N", "0", "1", "2", "M"))


def _union(group: list[list[str]]) -> str:
    return " || ".join("{| " + " && ".join(leaf) + "}" for leaf in group)


_CHILD = """
import json, sys, time
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.proof import z3_engine
asked = []
find = z3_engine.find
sys.modules["alphaz.proof.discharge"].find = lambda formula: asked.append(1) or find(formula)
try:
    read_program(Source("unions.ab", sys.stdin.read()))
    codes = []
except Rejected as rejected:
    codes = sorted({each.rule.code for each in rejected.diagnostics})
print(json.dumps([time.process_time(), len(asked), codes]))
"""


def measured(text: str) -> tuple[float, int, list[str]]:
    """Seconds, questions put to z3, codes of the errors."""
    done = subprocess.run([sys.executable, "-c", _CHILD], input=text, capture_output=True, text=True, check=True)
    seconds, asked, codes = json.loads(done.stdout)
    return seconds, asked, codes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3, help="how many programs of each size and kind (3)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also draw the figure")
    options = parser.parse_args()
    print("dims pieces branches  kind   seconds (median, most)   z3  findings")
    table: dict[str, list[tuple[int, float]]] = {kind: [] for kind in KINDS}
    for dimensions, pieces, branches in SIZES:
        for kind in KINDS:
            made = [program(seed, dimensions, pieces, branches, kind) for seed in range(options.seeds)]
            found = [measured(text) for text in made]
            seconds = [each[0] for each in found]
            codes = sorted({code for each in found for code in each[2]})
            asked = sum(each[1] for each in found)
            table[kind].append((pieces, median(seconds)))
            print(
                f"{dimensions:4} {pieces:6} {branches:8}  {kind:5}  {median(seconds):7.2f} {max(seconds):7.2f}"
                f"   {asked:10}  {' '.join(codes) or '-'}",
                flush=True,
            )
    if options.plot:
        _plot(table, options.plot)


def _plot(table: dict[str, list[tuple[int, float]]], path: Path) -> None:
    import matplotlib  # noqa: PLC0415 - only for the figure

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415

    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    for (kind, points), mark in zip(table.items(), "os^", strict=True):
        axes.plot(*zip(*points, strict=True), marker=mark, label=kind)
    axes.set(xlabel="pieces", ylabel="seconds of the processor, start included", ylim=(0, None))
    axes.legend(frameon=False)
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
