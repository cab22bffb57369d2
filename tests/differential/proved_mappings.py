"""Random programs with random mappings that were proved, executed: the values of the interpreter, for every number of
threads. Each sample is a system of its own, so that many of them are compiled at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

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
from tests.strategies.mapped_programs import Sample, sample, with_memory
from tests.verify.agreement import mapped
from tests.verify.features import features

SIZES = (1, 2, 3, 6)
THREADS = (1, 2, 4)
MEMORIES = 3


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


def proved_cases(seed: object, samples: int, most: int) -> Iterator[Proved]:
    """Those of so many samples that are proved, at most `most`."""
    count = 0
    for at in range(samples):
        case = _found(f"S{count}", Random(f"{seed}/{at}"))
        if case is not None:
            yield case
            count += 1
        if count == most:
            return


def _found(name: str, random: Random) -> Proved | None:
    """Few memory maps are proved, so each sample is tried with several."""
    best = _proved(name, sample(random), random)
    for _ in range(MEMORIES if best else 0):
        assert best is not None
        best = _proved(name, with_memory(random, best.sample), random) or best
    return best


def _proved(name: str, found: Sample, random: Random) -> Proved | None:
    own = replace(found, program=found.program.replace("affine S ", f"affine {name} ", 1))
    try:
        design = _sized(mapped(own).design, name, random)
        report = verify(design, [name])
        if not report.is_proved:
            return None
        verified = certify(report)
        return Proved(name, own, verified, scheduled_c(verified, name, plain=random.random() < 0.3))
    except Rejected as rejected:
        if {d.rule for d in rejected.diagnostics} & {REFUSED, INTERNAL}:
            raise
        return None


def _sized(design: Design, name: str, random: Random) -> Design:
    """With other tile sizes, parameters among them, and more wavefronts: what is proved for all sizes holds for all."""
    mapping = design.mapping(name)
    bands = tuple(
        replace(
            b,
            sizes=tuple(_numbers(s, random) for s in b.sizes),
            wavefront=tuple(w or random.random() < 0.5 for w in b.wavefront),
        )
        for b in mapping.tiling
    )
    return design.with_mapping(name, replace(mapping, tiling=bands))


def _numbers(sizes: tuple[int | None, ...], random: Random) -> tuple[int | None, ...]:
    chance = random.random()
    if chance < 0.3:
        return (None,) * len(sizes)
    return sizes if chance < 0.5 else tuple(random.randint(1, 3) for _ in sizes)


def disagreements(cases: list[Proved], seed: int = 0) -> list[str]:
    """Every case at every size with every number of threads: where the compiled code differs from the interpreter."""
    sources = Sources({})
    for case in cases:
        sources |= case.sources
    compiler = find_compiler()
    library = load(sources, compiler, ("-O1",))
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
        wanted = evaluate(checked.program, checked.facts, system.name, parameters, inputs)
        for threads in THREADS:
            given = {**parameters, **_tile_sizes(kernel, size + threads)}
            outputs = kernel.run(given, inputs, threads).outputs
            wrong = [name for name, values in wanted.items() if not np.array_equal(values, outputs[name])]
            if wrong:
                said = f"{given}, {threads} threads: {wrong}"
                yield f"{said}\n{case.sample.program}\n{case.sample.script('program.ab')}"


def _tile_sizes(kernel: Kernel, start: int) -> dict[str, int]:
    """Odd ones, and larger than all there is."""
    sizes = (1, 2, 3, 5, 64)
    return {size.name: sizes[(start + at) % len(sizes)] for at, size in enumerate(kernel.sizes)}
