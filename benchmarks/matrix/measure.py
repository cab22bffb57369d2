"""The kernels of `samples/matrix`, as `alphaz tune` finds them, against each operation in plain C (by gcc, and by clang
with Polly), loops fused by hand, and the BLAS: alternately in one run, beyond the caches and in them.

    .venv/bin/python -m benchmarks.matrix.measure                          # all; writes results.json
    .venv/bin/python -m benchmarks.matrix.measure gemver --budget 60s      # some, with more time for the search
    .venv/bin/python -m benchmarks.matrix.measure --table                  # only the table of what was measured
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alphaz.analysis.read import read_program
from alphaz.codegen.c.names import identifier
from alphaz.diagnostics import Source
from alphaz.model.program import System
from benchmarks.matrix.peers import PEERS, Peers

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1] / "samples" / "matrix"
RESULTS = HERE / "results.json"
_HEAD = "#include <stdint.h>\n#include <stdlib.h>\n\n"
_IMPORTS = """import numpy as np
from scipy.linalg.blas import daxpy, ddot, dgemv, dger, dscal, dsyr, dtrmv


"""
# n of vectors, m and n of matrices.
SIZES = {"large": {"vectors": 10_000_000, "matrices": 6000}, "small": {"vectors": 20_000, "matrices": 200}}
_VECTORS = ("axpydot", "vadd", "waxpby", "two-vadd")
_PACKED = "triangular(upper) row matrix", "triangular(upper) row packed matrix"


def kernel_text(name: str) -> str:
    """The packed triangle is the other one, packed: general, triangular and packed are to be compared."""
    if name == "triangular-packed":
        return kernel_text("triangular").replace(*_PACKED)
    return (SAMPLES / f"{name}.m").read_text(encoding="utf-8")


def measured(name: str, size: str, budget: str, rounds: int, threads: str) -> dict[str, Any]:
    """Returns the output of `alphaz bench --format json` for the found mapping, and its choices."""
    with tempfile.TemporaryDirectory(prefix="alphaz-matrix-") as folder:
        place = Path(folder)
        (place / f"{name}.m").write_text(kernel_text(name), encoding="utf-8")
        number = SIZES[size]["vectors" if name in _VECTORS else "matrices"]
        text = _alphaz("matrix", "show", f"{name}.m", folder=place)
        (system,) = read_program(Source(f"{name}.ab", text)).program.systems
        values = ",".join(f"{parameter}={number}" for parameter in system.parameters)
        found = _alphaz(
            "tune",
            f"{name}.m",
            "-p",
            values,
            "--budget",
            budget,
            "--afresh",
            "-o",
            f"{name}.cs",
            "--format",
            "json",
            folder=place,
        )
        against = list(_written(name, system, PEERS[name], place))
        bench = _alphaz(
            "bench", f"{name}.cs", "-p", values, "--threads", threads, "--rounds", str(rounds), "--format", "json",
            "--against", ",".join(against), folder=place,
        )  # fmt: skip
    (result,) = json.loads(bench)["benches"]
    return {**result, "size": size, "choices": json.loads(found)["finals"][0]["choices"]}


def _alphaz(*arguments: str, folder: Path) -> str:
    command = [sys.executable, "-m", "alphaz.cli.main", *arguments]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(arguments)} ended with status {done.returncode}")
    return done.stdout


def _written(name: str, system: System, peers: Peers, folder: Path) -> Iterator[str]:
    """Writes the files of the peers, and gives their names for `--against`."""
    if peers.plain:
        (folder / f"{name}-peer.c").write_text(_function(system, peers.plain), encoding="utf-8")
        yield from ("gcc", "polly")
    if peers.fused:
        (folder / "fused.c").write_text(_function(system, peers.fused), encoding="utf-8")
        yield "fused.c"
    if peers.blas is not None:
        text = f"{_IMPORTS}def peer(p, v):\n    {peers.blas}\n"
        (folder / f"{name}-peer.py").write_text(text, encoding="utf-8")
        yield "numpy"


def _function(system: System, body: str) -> str:
    numbers = [f"int64_t {identifier(parameter)}" for parameter in system.parameters]
    arrays = [f"const double *restrict {identifier(v.name)}" for v in system.inputs]
    arrays += [f"double *restrict {identifier(v.name)}" for v in system.outputs]
    return f"{_HEAD}void {identifier(system.name)}({', '.join([*numbers, *arrays])})\n{{\n{body}\n}}\n"


# --- the table --------------------------------------------------------------------------------------------------------


_OTHERS = {"gcc": "plain", "polly": "Polly", "numpy": "BLAS", "fused": "fused"}
_LARGER = ("general", "gemv"), ("triangular", "triangular"), ("packed", "triangular-packed")


def table(results: dict[str, Any]) -> Iterator[str]:
    """A line for each kernel: our seconds, and how many times as long the others take, each with its best threads."""
    yield f"{'kernel':26}{'seconds':>10}" + "".join(f"{title:>8}" for title in _OTHERS.values()) + "  found"
    for title, bench in sorted(results.items(), key=lambda item: (item[1]["size"], item[0])):
        ours = _best(bench, lambda name: name not in _OTHERS)
        cells = "".join(f"{_ratio(bench, name, ours):>8}" for name in _OTHERS)
        yield f"{title:26}{ours['median']:10.6f}{cells}  {_found(bench['choices'])}"
    yield "Ratios are medians over rounds; above 1 we are faster. !: another result."
    yield from _forms(results)


def _found(choices: dict[str, str]) -> str:
    """Returns a short text of the choices: shared loops, tiles, register tiles and vectors."""
    plain = {"1", "none", "innermost", "parallel", "parallel, in chunks", "as written"}
    told = {name: value for name, value in choices.items() if " blocks of " not in name and value not in plain}
    return ", ".join(f"{name.removeprefix('loops of ')}: {value}" for name, value in told.items())


def _forms(results: dict[str, Any]) -> Iterator[str]:
    """Returns lines that compare the speeds of storage formats."""
    for size in SIZES:
        known = {form: results.get(f"{name} {size}") for form, name in _LARGER}
        seconds = {
            form: _best(bench, lambda name: name not in _OTHERS)["median"] for form, bench in known.items() if bench
        }
        for one, other in (("general", "triangular"), ("triangular", "packed")):
            if one in seconds and other in seconds:
                yield f"{size}: {other} is {seconds[one] / seconds[other]:.2f} times as fast as {one}"


def _best(bench: dict[str, Any], wanted: Any) -> dict[str, Any]:
    chosen: dict[str, Any] = min(
        (c for c in bench["contestants"] if wanted(c["name"])), key=lambda c: float(c["median"])
    )
    return chosen


def _ratio(bench: dict[str, Any], name: str, ours: dict[str, Any]) -> str:
    if all(contestant["name"] != name for contestant in bench["contestants"]):
        return "-"
    theirs = _best(bench, lambda other: other == name)
    ratios = sorted(b / a for a, b in zip(ours["seconds"], theirs["seconds"], strict=True))
    return f"{ratios[len(ratios) // 2]:.2f}{'' if theirs['agrees'] else '!'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="default: all")
    parser.add_argument("--sizes", choices=[*SIZES, "both"], default="both")
    parser.add_argument("--budget", default="15s", help="for the search of each (15s)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--table", action="store_true", help="measure nothing")
    options = parser.parse_args()
    unknown = sorted(set(options.kernels) - set(PEERS))
    if unknown:
        parser.error(f"no such kernel: {', '.join(unknown)}")
    results = json.loads(options.results.read_text(encoding="utf-8")) if options.results.exists() else {}
    for name in () if options.table else options.kernels or PEERS:
        for size in SIZES if options.sizes == "both" else (options.sizes,):
            print(f"{name}, {size} ...", file=sys.stderr, flush=True)
            results[f"{name} {size}"] = measured(name, size, options.budget, options.rounds, options.threads)
            options.results.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for line in table(results):
        print(line)


if __name__ == "__main__":
    main()
