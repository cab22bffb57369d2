"""Effect of shared loops: kernels of `samples/matrix` whose operations share the loops that they may, against the same
operations one after the other, both proved, alternately on one thread; beyond the caches and in them. A report without
a threshold: in the caches the second may be faster.

    .venv/bin/python -m benchmarks.matrix.sharing             # a minute or two
    .venv/bin/python -m benchmarks.matrix.sharing aatx --rounds 15
"""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from alphaz.cli.tuning_problem import TuningProblem, opening
from alphaz.run.bench.contestants import Candidates, files_beside
from alphaz.run.bench.fork_server import keep_memory
from alphaz.tuning.evaluator import Evaluator
from alphaz.tuning.space import Point

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "matrix"
SIZES = {"axpydot": (10_000_000, 20_000), "vadd": (10_000_000, 20_000)}
_MATRICES = (6000, 200)
# Of AATX the loop over columns is shared, which is not the one along the memory of a matrix by rows.
CHOICES = {"aatx": {"loops of t1": "i,j", "loops of y": "j,i", "loops of t1 and y": "1"}}
BY_COLUMNS = "aatx-by-columns"
KERNELS = ("axpydot", "vadd", "atax", "aatx", BY_COLUMNS, "bicgk", "dgemvt", "gemver", "gesummv")


def compared(name: str, size: int, rounds: int) -> tuple[float, float, float]:
    """The seconds of shared loops and of separate ones, and how many times as fast the first are: medians."""
    with TemporaryDirectory() as folder, opening(str(_kernel(name, Path(folder))), None, as_written=True) as given:
        system = given.checked.program.system(given.system)
        parameters = dict.fromkeys(system.parameters, size)
        files = files_beside(given.beside, given.system)
        evaluator = Evaluator(given.space, given.folder, Candidates.of(system, parameters, 1, files, 1))
        contestants = [
            evaluator.contestant(_point(given, choices), kind)
            for kind, choices in (("shared", CHOICES.get(name, {})), ("apart", dict(_apart(given))))
        ]
        one, other = evaluator.contest(contestants, rounds)
        assert not one.differences
        assert not other.differences
        return one.median, other.median, one.faster_than(other)


def _kernel(name: str, folder: Path) -> Path:
    if name != BY_COLUMNS:
        return SAMPLES / f"{name}.m"
    text = (SAMPLES / "aatx.m").read_text(encoding="utf-8")
    (folder / "aatx.m").write_text(text.replace("A : matrix", "A : column matrix"), encoding="utf-8")
    return folder / "aatx.m"


def _apart(given: TuningProblem) -> Iterator[tuple[str, str]]:
    for axis in given.space.axes:
        if " and " in axis.name:
            yield axis.name, "0"


def _point(given: TuningProblem, choices: Mapping[str, str]) -> Point:
    return tuple(
        axis.alternatives.index(choices[axis.name]) if axis.name in choices else axis.usual for axis in given.space.axes
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", default=KERNELS)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    keep_memory()
    print("| kernel | size | shared, s | apart, s | apart / shared |\n|---|---|---|---|---|")
    for name in given.kernels:
        for size in SIZES.get(name, _MATRICES):
            shared, apart, faster = compared(name, size, given.rounds)
            print(f"| {name} | {size} | {shared:.6f} | {apart:.6f} | {faster:.2f} |", flush=True)


if __name__ == "__main__":
    main()
