"""Generates CUDA of mappings, proves it, executes it without a GPU, and compares it with the interpreter:
`scripts/fuzz-cuda`.

Random programs with random mappings, of which those count that are proved. Refused: the target does not generate it.
Undecided: the text is not proved. Wrong: a value differs, an execution finds a fault, or a text is refuted; then the
tool ends with 1. In two of three cases blocks and threads share random parallel dimensions. Every second program is a
sum of products (`tools/fuzz_sums.py`), with tiles, packed values and register tiles of threads; every fourth has
reductions that blocks merge, and every fourth tiles that recompute values of their neighbours
(`tools/fuzz_tiles.py`).

With `--samples` the mappings are those of the scripts in `samples/`, with each dimension parallel that may be, and the
sizes that the scripts name. With `--compile` the texts are compiled by nvcc for sm_80 and sm_90, where it is there.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.rules import NOT_YET, UNBOUNDED
from alphaz.equivalence.differential_run import Where, agree, executables
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.legality.verdicts import Options, Verified
from alphaz.legality.verify import certify, is_legal, verify
from alphaz.mapping.design import Design
from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.resolution import resolve
from alphaz.mapping.target import DimensionKind, KindSetting, LaunchDimension
from alphaz.processes.external import run as run_program
from alphaz.resources import resource_folder
from alphaz.run.files import write_sources
from alphaz.run.packaged_programs import located
from alphaz.run.size_estimate import values_to_compute
from alphaz.scripting.interpreter.run import run_script
from tests.differential.test_samples import sizes
from tests.strategies.mapped_programs import Sample, sample
from tools.command_line import parser
from tools.fuzz_sums import merged_reductions, sum_of_products
from tools.fuzz_tiles import overlapped_tiles, own_tiles

_ARCHITECTURES = ("sm_80", "sm_90")
_ORDERS = (2,)
_MOST_VALUES = 30_000
# Few random mappings have parallel dimensions outside.
_MADE_PARALLEL = 0.8


@dataclass(frozen=True)
class CudaCase:
    """A proved mapping with parameters to execute it with."""

    name: str
    verified: Verified
    system: str
    parameters: tuple[dict[str, int], ...]


@dataclass(frozen=True)
class CudaOutcome:
    """The outcome of a case: `word` counts it; `details` are for a reader."""

    word: str
    details: str = ""
    seconds: float = 0.0
    kernels: int = 0
    has_blocks: bool = False
    has_shared: bool = False
    has_registers: bool = False


def outcome_of(case: CudaCase, *, proves: bool, compiles: bool) -> CudaOutcome:
    """Generates, proves, executes and compares a case."""
    checked = case.verified.design.checked
    try:
        sources = scheduled_c(case.verified, case.system, target=CUDA_TARGET)
    except Rejected as problem:
        finding = problem.diagnostics[0]
        return CudaOutcome("refused" if finding.rule in (NOT_YET, UNBOUNDED) else "failed", finding.message)
    text = next(text for name, text in sources.files.items() if name.endswith(".cu"))
    kernels = text.count("__global__")
    changed = CudaOutcome(
        "executed",
        kernels=kernels,
        has_blocks="blockIdx" in text,
        has_shared="__shared__" in text,
        has_registers="#pragma unroll" in text,
    )
    if compiles and (errors := compiled_by_nvcc(sources)):
        return replace(changed, word="wrong", details=f"nvcc: {errors}")
    if proves:
        before = time.perf_counter()
        try:
            verdict = prove_generated(sources, checked, case.system, jobs=1).verdict
        except Rejected as problem:
            return replace(changed, word="wrong", details=str(problem.diagnostics[0].witness))
        word = "proved" if verdict.is_proved else "undecided"
        details = "" if verdict.is_proved else verdict.findings[0].message
        changed = replace(changed, word=word, details=details, seconds=time.perf_counter() - before)
    try:
        these = executables(case.verified, case.system, target=CUDA_TARGET, where=Where.APART, on_demand=False)
    except Rejected as problem:
        finding = problem.diagnostics[0]
        return replace(changed, word="failed", details=f"{finding.message} {finding.notes}")
    for seed, parameters in enumerate(case.parameters):
        own = {name: parameters[name] for name in these.system.parameters}
        if values_to_compute(checked.program, checked.facts, these.system, own) > _MOST_VALUES:
            continue
        agreement = agree(these, own, _ORDERS, seed)
        if agreement.findings:
            finding = agreement.findings[0]
            return replace(changed, word="wrong", details=f"{own}: {finding.message} {finding.notes}")
    return changed


def compiled_by_nvcc(sources: Sources) -> str:
    """Returns the errors of nvcc for all architectures."""
    with tempfile.TemporaryDirectory(prefix="alphaz-nvcc-") as folder:
        write_sources(sources, Path(folder))
        name = next(name for name in sources.files if name.endswith(".cu"))
        codes = [word for arch in _ARCHITECTURES for word in ("-gencode", f"arch=compute_{arch[3:]},code={arch}")]
        command = (
            located("nvcc"),
            *codes,
            "-Xcompiler",
            "-Wall,-Wextra,-Werror",
            "-Werror",
            "all-warnings",
            "-c",
            name,
        )
        outcome = run_program(command, Path(folder), 300)
        return "" if outcome.succeeded else outcome.errors[:400]


# --- samples ----------------------------------------------------------------------------------------------------------


def sample_cases(words: list[str]) -> Iterator[CudaCase]:
    """Yields the scripts of `samples/` whose names contain one of the words, with parallel dimensions."""
    folder = resource_folder("samples")
    for path in sorted((*folder.glob("*/*.cs"), *folder.glob("kernels/*/*.cs"), *folder.glob("gpu/*/*.cs"))):
        name = str(path.relative_to(folder))
        if (
            path.name.startswith("wrong")
            or path.stem.endswith("-tuned")
            or (words and not any(w in name for w in words))
        ):
            continue
        session = run_script(Source(path.name, path.read_text(encoding="utf-8")), path.parent)
        for system in session.designs[-1].mapped_systems:
            design = with_parallel(session.designs[-1], system)
            verified = certify(verify(design, options=Options(exact_tiles=True)))
            yield CudaCase(name, verified, system, tuple(sizes(path)))


def with_parallel(design: Design, system: str) -> Design:
    """Returns the design with each dimension parallel that may be, below constants that lead dates."""
    mapping = resolve(design, system)
    leading: set[tuple[int, ...]] = {()}
    for statement in mapping.statements:
        for at, component in enumerate(statement.dates):
            prefix = tuple(one.constant for one in statement.dates[:at])
            alike = [other for other in mapping.statements if has_prefix(other, prefix)]
            if not all(other.dates[at].is_constant for other in alike):
                break
            leading.add((*prefix, component.constant))
    ordering = {len(prefix) - 1 for prefix in leading if prefix}
    for prefix in sorted(leading, key=len):
        for at in range(mapping.dimensions - len(prefix)):
            kind = DimensionKind.ORDERING if not prefix and at in ordering else DimensionKind.PARALLEL
            entry = KindSetting(None, prefix, (at,), kind)
            stated = design.mapping(system)
            trial = design.with_mapping(system, replace(stated, kinds=(*stated.kinds, entry)))
            if is_legal(trial, system):
                design = trial
    return design


# --- random mappings --------------------------------------------------------------------------------------------------


def random_cases(seed: int, first: int, count: int) -> Iterator[CudaCase | None]:
    """Yields random proved mappings; None for other ones."""
    for number in range(first, first + count):
        random = Random(f"{seed}/{number}")
        drawn = _drawn(number, random)
        with tempfile.TemporaryDirectory(prefix="alphaz-cuda-") as folder:
            (Path(folder) / "program.ab").write_text(drawn.program)
            session = run_script(Source("script.cs", drawn.script("program.ab")), Path(folder))
        if session.has_errors or not session.designs:
            yield None
            continue
        design = session.designs[-1]
        has_roles = number % 8 not in (3, 7)
        if (
            not has_roles
            and random.random() < _MADE_PARALLEL
            and verify(design, options=Options(exact_tiles=True)).is_proved
        ):
            design = with_parallel(design, drawn.system)
        design = design if has_roles else with_roles(design, drawn.system, random)
        report = verify(design, options=Options(exact_tiles=True))
        if not report.is_proved:
            yield None
            continue
        verified = certify(report)
        system = verified.design.program.system(drawn.system)
        values = [{name: random.choice((1, 2, 3, 5, 9)) for name in system.parameters} for _ in range(8)]
        legal = [one for one in values if system.context.contains(one)][:2]
        yield CudaCase(
            f"case {number}\n{drawn.program}\n{drawn.script('program.ab')}", verified, drawn.system, tuple(legal)
        )


def _drawn(number: int, random: Random) -> Sample:
    if number % 8 in (1, 5):
        draw = overlapped_tiles if number % 8 == 1 else own_tiles
        return draw(random, is_cuda=True)
    if number % 2:
        return sample(random)
    return sum_of_products(random) if number % 4 else merged_reductions(random)


def with_roles(design: Design, system: str, random: Random) -> Design:
    """Returns the design with random roles for its parallel dimensions, in two of three cases."""
    try:
        mapping = resolve(design, system)
    except Rejected:
        return design
    kinds = [{statement.kinds[at] for statement in mapping.statements} for at in range(mapping.dimensions)]
    parallel = [at for at, item in enumerate(kinds) if item == {DimensionKind.PARALLEL}]
    if not parallel or random.random() < 1 / 3:
        return design
    entries: list[LaunchDimension] = []
    for of_threads in (False, True):
        chosen = random.sample(parallel, random.randint(0, min(len(parallel), 3)))
        axes = random.sample("xyz", len(chosen))
        threads = random.choice((2, 3, 4)) if of_threads else 0
        entries += [LaunchDimension((), at, axis, of_threads, threads) for at, axis in zip(chosen, axes, strict=True)]
    return design.with_mapping(system, replace(design.mapping(system), launches=tuple(entries)))


# --- the command ------------------------------------------------------------------------------------------------------


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    counts, reasons = Counter[str](), Counter[str]()
    begun, kernels, with_blocks, features = time.monotonic(), 0, 0, Counter[str]()
    compiles = options.compile and shutil.which("nvcc") is not None
    cases = sample_cases(options.words) if options.samples else random_cases(options.seed, options.first, options.cases)
    for case in cases:
        if case is None:
            counts["not proved"] += 1
            continue
        result = outcome_of(case, proves=not options.no_prove, compiles=compiles)
        counts[result.word] += 1
        kernels += result.kernels
        with_blocks += result.has_blocks
        features.update(shared=result.has_shared, registers=result.has_registers)
        if result.details:
            reasons[f"{result.word}: {result.details[:110]}"] += 1
        if options.samples or result.word in ("wrong", "failed"):
            blocks = " with blocks" * result.has_blocks
            text = f"{result.word}, {result.kernels} kernels{blocks}, {result.seconds:.1f} s  {result.details}"
            _say(f"{case.name}: {text}")
        if not options.samples and time.monotonic() - begun > options.seconds:
            break
    _say(*(f"{count:6} {reason}" for reason, count in reasons.most_common(20)))
    words = ", ".join(f"{word} {count}" for word, count in sorted(counts.items()))
    more = f"{+features['shared']} with shared memory, {+features['registers']} with registers"
    _say(f"{words}; {kernels} kernels, {with_blocks} mappings with blocks, {more}")
    return 1 if counts["wrong"] or counts["failed"] else 0


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _options(arguments: list[str]) -> argparse.Namespace:
    examples = ("scripts/fuzz-cuda --cases 300 --seed 1", "scripts/fuzz-cuda --samples gemm lu")
    options = parser("scripts/fuzz-cuda", __doc__ or "", *examples)
    options.add_argument("words", nargs="*", help="with --samples: parts of names")
    options.add_argument("--samples", action="store_true", help="the scripts in samples/")
    options.add_argument("--cases", type=int, default=100, help="random mappings to draw")
    options.add_argument("--first", type=int, default=0, help="the number of the first one")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=1e9, help="ends after so many seconds")
    options.add_argument("--no-prove", action="store_true", help="execute only")
    options.add_argument("--compile", action="store_true", help="compile by nvcc, too")
    return options.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
