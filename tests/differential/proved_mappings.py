"""Random programs with random mappings that were proved, executed: the values of the interpreter, for every number of
threads. Each sample is a system of its own, so that many of them are compiled at a time.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from alphaz.codegen.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected
from alphaz.diagnostics.rules import INTERNAL, REFUSED
from alphaz.execution.compiler import find_compiler
from alphaz.execution.data import random_inputs
from alphaz.execution.kernel import Kernel
from alphaz.execution.library import load
from alphaz.mapping.design import Design
from alphaz.model.interpreter import evaluate
from alphaz.verify.verified import Verified
from alphaz.verify.verify import certify, verify
from tests.strategies import mapped_calls
from tests.strategies.dressing import EXTERNALS, HEADER, dressed, typed
from tests.strategies.mapped_programs import Sample, sample, with_memory
from tests.verify.agreement import design_of
from tests.verify.features import features

SIZES = (1, 2, 3, 6)
THREADS = (1, 2, 4)
MEMORIES = 3
# The shares of samples with calls, and with other types than int.
CALLS = 0.15
TYPED = 0.4


@dataclass(frozen=True)
class Proved:
    """A sample that the verifier proves, and its code: sizes of tiles are numbers, or parameters."""

    name: str
    sample: Sample
    verified: Verified
    sources: Sources

    @property
    def features(self) -> frozenset[str]:
        return features(self.verified.mappings[self.name])


def proved_cases(seed: object, samples: int, most: int, changes: int) -> Iterator[Proved]:
    """Those of so many samples that are proved, at most `most`; up to so many changes of each are tried."""
    count = 0
    for at in range(samples):
        case = found(f"S{count}", Random(f"{seed}/{at}"), changes)
        if case is not None:
            yield case
            count += 1
        if count == most:
            return


def found(name: str, random: Random, changes: int) -> Proved | None:
    """Few memory maps and tiles are proved, so each sample is tried with several."""
    if random.random() < CALLS:
        return _proved(name, mapped_calls.sample(random), random)
    drawn = sample(random)
    best = _proved(name, typed(random, drawn) if random.random() < TYPED else drawn, random)
    for _ in range(MEMORIES if best else 0):
        assert best is not None
        best = _proved(name, with_memory(random, best.sample), random) or best
    for _ in range(random.randint(0, changes) if best else 0):
        assert best is not None
        best = _proved(name, dressed(random, best.sample), random) or best
    return best


def _proved(name: str, found: Sample, random: Random) -> Proved | None:
    """Raises Rejected where what is proved is not generated."""
    own = _named(found, name)
    try:
        design = _sized(design_of(own), own.system, random)
        report = verify(design, [own.system])
    except Rejected as rejected:
        if {d.rule for d in rejected.diagnostics} & {REFUSED, INTERNAL}:
            raise
        return None
    if not report.is_proved:
        return None
    verified = certify(report)
    try:
        sources = scheduled_c(verified, own.system, plain=random.random() < 0.3)
    except Exception:
        sys.stderr.write(f"{own.program}\n{own.script('program.ab')}\n")
        raise
    return Proved(own.system, own, verified, sources)


def _named(found: Sample, name: str) -> Sample:
    """Its systems have names of their own."""
    program, lines = found.program, found.lines
    for at, system in enumerate(re.findall(r"(?m)^affine (\w+)", program)):
        own = name if system == found.system else f"{name}_{at}"
        program = re.sub(rf"\b{system}\b(?=\[| \{{)", own, program)
        lines = tuple(line.replace(f'"{system}"', f'"{own}"') for line in lines)
    return replace(found, program=program, lines=lines, system=name)


def _sized(design: Design, name: str, random: Random) -> Design:
    """With other tile sizes, parameters among them, and more wavefronts: what is proved for all sizes holds for all."""
    mapping = design.mapping(name)
    if mapping.registers:
        return design
    bands = tuple(
        replace(
            b,
            sizes=tuple(_numbers(s, random) for s in b.sizes),
            wavefront=tuple(_waves(w, random) for w in b.wavefront),
        )
        for b in mapping.tiling
    )
    return design.with_mapping(name, replace(mapping, tiling=bands))


def _waves(dimensions: tuple[bool, ...], random: Random) -> tuple[bool, ...]:
    """As they are, of all dimensions, or of some."""
    chance = random.random()
    if chance < 0.3:
        return tuple(random.random() < 0.6 for _ in dimensions)
    return dimensions if chance < 0.6 else (True,) * len(dimensions)


def _numbers(sizes: tuple[int | None, ...], random: Random) -> tuple[int | None, ...]:
    chance = random.random()
    if chance < 0.3:
        return (None,) * len(sizes)
    return sizes if chance < 0.5 else tuple(random.randint(1, 3) for _ in sizes)


def disagreements(cases: list[Proved], seed: int = 0, flags: Sequence[str] = ("-O1",)) -> list[str]:
    """Every case at every size with every number of threads: where the compiled code differs from the interpreter."""
    sources = Sources({})
    for case in cases:
        sources |= case.sources
    compiler = find_compiler()
    with TemporaryDirectory() as folder:
        Path(folder, "external_functions.h").write_text(HEADER, encoding="utf-8")
        library = load(sources, compiler, flags, Path(folder))
    found: list[str] = []
    for case in cases:
        system = case.verified.mappings[case.name].system
        sizes = case.verified.mappings[case.name].tile_sizes
        kernel = Kernel(system, f"{case.name}_status", compiler, library, sizes)
        found += _differences(case, kernel, seed)
    return found


def _differences(case: Proved, kernel: Kernel, seed: int) -> Iterator[str]:
    checked, system = case.verified.design.checked, kernel.system
    for size in SIZES:
        parameters = dict(zip(system.parameters, (size, 1 + 2 * size % 5), strict=False))
        if not system.context.contains(parameters):
            continue
        inputs = random_inputs(system, parameters, seed)
        wanted = evaluate(checked.program, checked.facts, system.name, parameters, inputs, EXTERNALS)
        for threads in THREADS:
            given = {**parameters, **_tile_sizes(kernel, size + threads)}
            outputs = kernel.run(given, inputs, threads).outputs
            wrong = [name for name, values in wanted.items() if not _agree(values, outputs[name])]
            if wrong:
                said = f"{given}, {threads} threads: {wrong}, {case.verified.mappings[case.name].bands}"
                yield f"{said}\n{case.sample.program}\n{case.sample.script('program.ab')}"


def _tile_sizes(kernel: Kernel, start: int) -> dict[str, int]:
    """Odd ones, and larger than all there is."""
    sizes = (1, 2, 3, 5, 64)
    return {size.name: sizes[(start + at) % len(sizes)] for at, size in enumerate(kernel.sizes)}


def _agree(wanted: np.ndarray, found: np.ndarray) -> bool:
    """Floats may be added up in another order."""
    if wanted.dtype.kind != "f":
        return np.array_equal(wanted, found)
    if not np.isfinite(wanted).all():
        return np.array_equal(np.isfinite(wanted), np.isfinite(found))
    allowed = (1e-4 if wanted.dtype == np.float32 else 1e-11) * max(1.0, float(np.abs(wanted).max(initial=0.0)))
    return np.allclose(wanted, found, rtol=0, atol=allowed)
