"""Removes each barrier and each wait of generated CUDA, one at a time: `scripts/mutate-cuda`.

The texts are those of the scripts in `samples/`, with each dimension parallel that may be, or with `--random` those of
the random mappings of `scripts/fuzz-cuda`. A barrier that is needed is
refuted by the proof of the text without it, and found by its execution without a GPU. One that the proof or the
execution does not miss is printed, and the tool ends with 1.
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected
from alphaz.equivalence.differential_run import Executables, Where, agree, executables
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.run.target_processes import WithoutGpu
from tools.command_line import parser
from tools.fuzz_cuda import CudaCase, random_cases, sample_cases

WAIT = re.compile(r"\b(?:__syncthreads|__syncwarp|__pipeline_wait_prior|__threadfence)\s*\(")
_ORDERS = (2,)
# A barrier may be needed at larger sizes than those that a script names.
_LARGER = (6, 13)


@dataclass(frozen=True)
class RemovedBarrier:
    """A text without the barrier of a line: the outcome of its proof, and whether its execution finds a fault or other
    values.
    """

    line: int
    proof: str
    is_found: bool

    @property
    def is_missed(self) -> bool:
        return self.proof != "refuted" or not self.is_found


def removed_barriers(case: CudaCase, *, proves: bool = True) -> Iterator[RemovedBarrier]:
    """Yields the outcomes for each barrier of the text of a case. Raises Rejected where there is no text."""
    sources = scheduled_c(case.verified, case.system, target=CUDA_TARGET)
    lines = list(barriers(sources))
    if not lines:
        return
    these = executables(case.verified, case.system, target=CUDA_TARGET, where=Where.APART, on_demand=False)
    for line in lines:
        proof = _proof(case, without(sources, line)) if proves else "refuted"
        yield RemovedBarrier(line, proof, _is_found(case, these, line))


def barriers(sources: Sources) -> Iterator[int]:
    """Yields the lines that have barriers or waits."""
    for number, line in enumerate(sources.files[_text_name(sources)].splitlines(), 1):
        if WAIT.search(line.partition("//")[0]):
            yield number


def without(sources: Sources, number: int) -> Sources:
    """Returns the sources without a line, which stays empty."""
    name = _text_name(sources)
    lines = sources.files[name].splitlines(keepends=True)
    lines[number - 1] = "\n"
    return replace(sources, files={**sources.files, name: "".join(lines)})


def _text_name(sources: Sources) -> str:
    return next(name for name in sources.files if name.endswith(".cu"))


def _proof(case: CudaCase, sources: Sources) -> str:
    try:
        verdict = prove_generated(sources, case.verified.design.checked, case.system, jobs=1).verdict
    except Rejected:
        return "refuted"
    return verdict.verdict


def _is_found(case: CudaCase, these: Executables, line: int) -> bool:
    assert isinstance(these.scheduled, WithoutGpu)
    changed = replace(these, scheduled=replace(these.scheduled, without=(line,)))
    names = these.system.parameters
    sizes = [{name: named[name] for name in names} for named in case.parameters]
    sizes += [dict.fromkeys(names, size) for size in _LARGER]
    legal = [size for size in sizes if these.system.context.contains(size)]
    return any(agree(changed, size, _ORDERS, seed).findings for seed, size in enumerate(legal))


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    total, begun = Counter[str](), time.monotonic()
    cases = random_cases(options.seed, 0, options.random) if options.random else sample_cases(options.words)
    for case in cases:
        if case is None:
            continue
        if time.monotonic() - begun > options.seconds:
            break
        try:
            results = list(removed_barriers(case, proves=not options.no_prove))
        except Rejected as problem:
            total["samples without a text"] += 1
            if not options.random:
                _say(f"{case.name}: {problem.diagnostics[0].message}")
            continue
        refuted, found = sum(r.proof == "refuted" for r in results), sum(r.is_found for r in results)
        total.update(samples=1, barriers=len(results), refuted=refuted, found=found)
        if not options.random or any(result.is_missed for result in results):
            _say(f"{case.name}: {len(results)} barriers, {refuted} refuted, {found} found")
        for result in results:
            if result.is_missed:
                total["missed"] += 1
                _say(f"  line {result.line}: {result.proof}, {'found' if result.is_found else 'not found'}")
    _say(", ".join(f"{count} {name}" for name, count in total.items()))
    return 1 if total["missed"] else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _options(arguments: list[str]) -> argparse.Namespace:
    options = parser(
        "scripts/mutate-cuda",
        __doc__ or "",
        "scripts/mutate-cuda",
        "scripts/mutate-cuda gpu/ jacobi",
        "scripts/mutate-cuda --random 100",
    )
    options.add_argument("words", nargs="*", help="parts of the names of scripts in samples/ (default: all)")
    options.add_argument("--random", type=int, default=0, metavar="N", help="so many random mappings instead")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=1e9, help="begins no mapping after so many seconds")
    options.add_argument("--no-prove", action="store_true", help="execute only")
    return options.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
