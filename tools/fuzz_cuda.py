"""Executes generated CUDA of random mappings without a GPU, and compares it with the interpreter: `scripts/fuzz-cuda`.

Random programs with random mappings, of which those count that are proved. Refused: the target does not generate it.
Wrong: a value differs, an execution finds a fault, or a text is refuted; then the tool ends with 1. Twenty texts are
compiled at a time (`tools/differential/cuda_batch.py`); one that seems to be wrong is executed alone as well.

The programs are sums of products with tiles, packed values and register tiles of threads, reductions that blocks merge
(`tools/fuzz_sums.py`), recurrences in steps (`tools/fuzz_steps.py`), tiles that recompute values of their neighbours
(`tools/fuzz_tiles.py`), and general ones, in which blocks and threads share random parallel dimensions.

With `--samples` the mappings are those of the scripts in `samples/`, with each dimension parallel that may be, and the
sizes that the scripts name. With `--prove-text` each text is proved too, within a budget; undecided: it is not proved.
With `--compile` the texts are compiled by nvcc for sm_80 and sm_90, where it is there.
"""

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.rules import NOT_YET, UNBOUNDED
from alphaz.equivalence.differential_run import Executables, Where, agree, executables
from alphaz.equivalence.driver.generated_code import prove_generated_within
from alphaz.legality.verdicts import Options, Verified
from alphaz.legality.verify import certify, is_legal, verify
from alphaz.mapping.design import Design
from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.resolution import resolve
from alphaz.mapping.target_mapping import DimensionKind, KindSetting, LaunchDimension
from alphaz.processes.external import run as run_program
from alphaz.resources import resource_folder
from alphaz.run.externals import external_functions
from alphaz.run.files import write_sources
from alphaz.run.library import NotCompiled
from alphaz.run.packaged_programs import located
from alphaz.run.work_estimate import values_to_compute
from alphaz.scripting.interpreter.run import run_script
from tests.differential.test_samples import sizes
from tests.strategies.mapped_programs import Sample, sample
from tools.command_line import parser
from tools.differential.cuda_batch import GeneratedCuda, NotInBatch, compile_batch
from tools.fuzz_steps import recurrence
from tools.fuzz_sums import merged_reductions, sum_of_products
from tools.fuzz_tiles import overlapped_tiles, own_tiles

_ARCHITECTURES = ("sm_80", "sm_90")
_ORDERS = (2,)
_MOST_VALUES = 30_000
_BATCH = 20
_TOLD = 100
_FEATURES = {
    "blocks": "blockIdx",
    "blocks in y": r"blockIdx\.y",
    "blocks in z": r"blockIdx\.z",
    "threads in y": r"threadIdx\.y",
    "threads in z": r"threadIdx\.z",
    "shared memory": "__shared__",
    "barriers": r"__syncthreads\(\);",
    "register tiles": "#pragma unroll",
    "shuffles": "__shfl",
    "atomic additions": r"atomicAdd\((?!count)",
    "last blocks": "is_last",
    "launches in a loop": r"for [^\n]*\{\n(?:[^}]*\n)?[^}\n]*= launch_",
}
_SIZES, _SMALL_SIZES = (0, 1, 2, 3, 5, 9), (0, 1, 2, 3, 4)
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
    features: frozenset[str] = frozenset()


def outcome_of(case: CudaCase, *, seconds: float | None = None, compiles: bool = False) -> CudaOutcome:
    """Generates, executes and compares a case alone. `seconds`: proves the text, within this budget."""
    prepared = prepare(case, seconds=seconds, compiles=compiles)
    return prepared.outcome if prepared.text is None else _executed_alone(prepared)


@dataclass(frozen=True)
class Prepared:
    """A case with its text, which is None if there is none to execute."""

    case: CudaCase
    outcome: CudaOutcome
    text: GeneratedCuda | None = None


def prepare(case: CudaCase, *, seconds: float | None, compiles: bool) -> Prepared:
    """Generates the text of a case; proves and compiles it if desired."""
    checked = case.verified.design.checked
    try:
        sources = scheduled_c(case.verified, case.system, target=CUDA_TARGET)
    except Rejected as problem:
        finding = problem.diagnostics[0]
        word = "refused" if finding.rule in (NOT_YET, UNBOUNDED) else "failed"
        return Prepared(case, CudaOutcome(word, finding.message))
    text = next(text for name, text in sources.files.items() if name.endswith(".cu"))
    outcome = CudaOutcome("executed", kernels=text.count("__global__"), features=_features(text))
    if compiles and (errors := compiled_by_nvcc(sources)):
        return Prepared(case, replace(outcome, word="wrong", details=f"nvcc: {errors}"))
    if seconds is not None:
        outcome = _proved(sources, case, outcome, seconds)
        if outcome.word == "wrong":
            return Prepared(case, outcome)
    sizes = case.verified.mappings[case.system].tile_sizes
    return Prepared(case, outcome, GeneratedCuda(sources, checked, case.system, sizes))


def _features(text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in _FEATURES.items() if re.search(pattern, text))


def _proved(sources: Sources, case: CudaCase, outcome: CudaOutcome, seconds: float) -> CudaOutcome:
    before = time.process_time()
    try:
        verdict = prove_generated_within(sources, case.verified.design.checked, case.system, seconds).verdict
    except Rejected as problem:
        return replace(outcome, word="wrong", details=str(problem.diagnostics[0].witness))
    word = "proved" if verdict.is_proved else "undecided"
    details = "" if verdict.is_proved else verdict.findings[0].message
    return replace(outcome, word=word, details=details, seconds=time.process_time() - before)


def _executed_alone(prepared: Prepared) -> CudaOutcome:
    case = prepared.case
    try:
        these = executables(case.verified, case.system, target=CUDA_TARGET, where=Where.APART, on_demand=False)
    except Rejected as problem:
        finding = problem.diagnostics[0]
        return replace(prepared.outcome, word="failed", details=f"{finding.message} {finding.notes}")
    return _compared(prepared, these)


def _compared(prepared: Prepared, these: Executables) -> CudaOutcome:
    case, checked = prepared.case, prepared.case.verified.design.checked
    executed = 0
    for seed, parameters in enumerate(case.parameters):
        own = {name: parameters[name] for name in these.system.parameters}
        if values_to_compute(checked.program, checked.facts, these.system, own) > _MOST_VALUES:
            continue
        try:
            agreement = agree(these, own, _ORDERS, seed)
        except Rejected as problem:
            finding = problem.diagnostics[0]
            return replace(prepared.outcome, word="failed", details=f"{own}: {finding.message} {finding.notes}")
        if agreement.findings:
            finding = agreement.findings[0]
            return replace(prepared.outcome, word="wrong", details=f"{own}: {finding.message} {finding.notes}")
        executed += not agreement.is_void
    return prepared.outcome if executed else replace(prepared.outcome, word="not executed")


def batch_outcomes(batch: Sequence[Prepared]) -> Iterator[tuple[CudaCase, CudaOutcome]]:
    """Yields the outcomes of cases whose texts are compiled together; one that is wrong is executed alone as well."""
    texts = [prepared.text for prepared in batch if prepared.text is not None]
    try:
        programs = iter(compile_batch(texts) if texts else ())
    except (NotInBatch, NotCompiled) as problem:
        _say(f"a batch is executed one by one: {problem}"[:400])
        for prepared in batch:
            yield prepared.case, prepared.outcome if prepared.text is None else _executed_alone(prepared)
        return
    for prepared in batch:
        if prepared.text is None:
            yield prepared.case, prepared.outcome
            continue
        checked = prepared.text.checked
        these = Executables(
            checked=checked,
            system=checked.program.system(prepared.case.system),
            demand_driven=None,
            scheduled=next(programs),
            externals=external_functions(checked.program, None),
            where=Where.APART,
        )
        outcome = _compared(prepared, these)
        if outcome.word in ("wrong", "failed"):
            alone = _executed_alone(prepared)
            outcome = replace(outcome, details=f"{outcome.details}\n  alone: {alone.word} {alone.details}")
        yield prepared.case, outcome


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
            prefix = tuple(date.constant for date in statement.dates[:at])
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
        drawn, has_roles = _drawn(number, random)
        with tempfile.TemporaryDirectory(prefix="alphaz-cuda-") as folder:
            (Path(folder) / "program.ab").write_text(drawn.program)
            script = drawn.script("program.ab")
            session = run_script(Source("script.cs", script.partition("VerifyTargetMapping")[0]), Path(folder))
        if session.has_errors or not session.designs:
            yield None
            continue
        design = session.designs[-1]
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
        choices = _SMALL_SIZES if "setReductionOver" in script else _SIZES
        values = [{name: random.choice(choices) for name in system.parameters} for _ in range(12)]
        legal = [value for value in values if system.context.contains(value)][:2]
        yield CudaCase(f"case {number}\n{drawn.program}\n{script}", verified, drawn.system, tuple(legal))


def _drawn(number: int, random: Random) -> tuple[Sample, bool]:
    """Returns a random program with its mapping, and whether that has blocks and threads."""
    draw = _DRAWINGS[number % len(_DRAWINGS)]
    return (sample(random), False) if draw is None else (draw(random), True)


# Tiles that recompute values take as long as all others: they are drawn once.
_DRAWINGS: tuple[Callable[[Random], Sample] | None, ...] = (
    *(merged_reductions, sum_of_products, recurrence, None, recurrence, sum_of_products, recurrence) * 3,
    partial(own_tiles, is_cuda=True),
    partial(own_tiles, is_cuda=True),
    partial(overlapped_tiles, is_cuda=True),
)


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
    counts, reasons, features = Counter[str](), Counter[str](), Counter[str]()
    told = 0
    compiles = options.compile and shutil.which("nvcc") is not None
    cases = sample_cases(options.words) if options.samples else random_cases(options.seed, options.first, options.cases)
    for case, result in _outcomes(cases, options, compiles, counts):
        counts[result.word] += 1
        if result.word in ("executed", "proved", "undecided"):
            features.update({"kernels": result.kernels, **dict.fromkeys(result.features, 1)})
        if result.details:
            reasons[f"{result.word}: {result.details[:110]}"] += 1
        if options.samples or result.word in ("wrong", "failed"):
            shares = " with blocks" * ("blocks" in result.features)
            text = f"{result.word}, {result.kernels} kernels{shares}, {result.seconds:.1f} s  {result.details}"
            _say(f"{case.name}: {text}")
        if counts["executed"] >= told + _TOLD:
            told = counts["executed"]
            _say(_counted(counts))
    _say(*(f"{count:6} {reason}" for reason, count in reasons.most_common(20)))
    _say(*(f"{count:6} {name}" for name, count in features.most_common()))
    _say(_counted(counts))
    return 1 if counts["wrong"] or counts["failed"] else 0


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{word} {count}" for word, count in sorted(counts.items()))


def _outcomes(
    cases: Iterator[CudaCase | None], options: argparse.Namespace, compiles: bool, counts: Counter[str]
) -> Iterator[tuple[CudaCase, CudaOutcome]]:
    """Yields the outcomes of proved mappings, until the time is over; counts the others."""
    begun = time.monotonic()
    batch: list[Prepared] = []
    for case in cases:
        if case is None:
            counts["not proved"] += 1
            continue
        batch.append(prepare(case, seconds=options.prove_text, compiles=compiles))
        if options.samples or len(batch) == _BATCH:
            yield from batch_outcomes(batch)
            batch = []
        if not options.samples and time.monotonic() - begun > options.seconds:
            break
    yield from batch_outcomes(batch)


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _options(arguments: list[str]) -> argparse.Namespace:
    examples = ("scripts/fuzz-cuda --cases 300 --seed 1", "scripts/fuzz-cuda --samples gemm lu --prove-text 60")
    options = parser("scripts/fuzz-cuda", __doc__ or "", *examples)
    options.add_argument("words", nargs="*", help="with --samples: parts of names")
    options.add_argument("--samples", action="store_true", help="the scripts in samples/")
    options.add_argument("--cases", type=int, default=100, help="random mappings to draw")
    options.add_argument("--first", type=int, default=0, help="the number of the first one")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=1e9, help="ends after so many seconds")
    options.add_argument(
        "--prove-text", type=float, metavar="SECONDS", help="proves each text, in so many seconds of the processor"
    )
    options.add_argument("--compile", action="store_true", help="compile by nvcc, too")
    return options.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
