"""Random programs with random mappings that are proved. Each sample is a system of its own, so that many of them are
compiled at a time (`tests.differential.execution`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from alphaz.codegen.scheduled.pipeline import PLAIN, THREADED, Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import certify, is_legal, verify
from alphaz.mapping.design import Design
from tests.legality.agreement import design_of
from tests.legality.features import features
from tests.strategies import kernels, mapped_calls
from tests.strategies.mapped_programs import Sample, sample, with_memory
from tests.strategies.mapping_variants import dressed, typed

MEMORIES = 3
# The shares of samples with calls, of kernels, of those with other types than int, and of plain code.
CALLS = 0.12
KERNELS = 0.4
TYPED = 0.4
PLAINLY = 0.3


@dataclass(frozen=True)
class Proved:
    """A sample that the verifier proves, and the passes that make its code."""

    sample: Sample
    verified: Verified
    pipeline: Pipeline = THREADED

    @property
    def name(self) -> str:
        return self.sample.system

    @property
    def features(self) -> frozenset[str]:
        return features(self.verified.mappings[self.name])

    def sources(self) -> Sources:
        """Raises what the generator raises, which should be nothing."""
        return scheduled_c(self.verified, self.name, pipeline=self.pipeline)


def proved_cases(seed: object, samples: int, most: int, changes: int) -> Iterator[Proved]:
    """Those of so many samples that are proved, at most `most`; up to so many changes of each are tried."""
    count = 0
    for at in range(samples):
        case = proved_sample(f"S{count}", Random(f"{seed}/{at}"), changes)
        if case is not None:
            yield case
            count += 1
        if count == most:
            return


def proved_sample(name: str, random: Random, changes: int) -> Proved | None:
    """Few memory maps and tiles are proved, so each sample is tried with several, and keeps those that are."""
    chosen = named(_drawn(random), name)
    design = _legal(chosen)
    if design is None:
        return None
    for change in [with_memory] * MEMORIES * bool(chosen.variables) + [dressed] * random.randint(0, changes):
        changed = change(random, chosen)
        result = None if changed is chosen else _legal(changed)
        if result is not None:
            chosen, design = changed, result
    return _proved(chosen, design, plainly(random))


def plainly(random: Random) -> Pipeline:
    return PLAIN if random.random() < PLAINLY else THREADED


def proved(chosen: Sample, pipeline: Pipeline = THREADED) -> Proved | None:
    """None where it is not."""
    design = _legal(chosen)
    return None if design is None else _proved(chosen, design, pipeline)


def _proved(chosen: Sample, design: Design, pipeline: Pipeline) -> Proved | None:
    report = verify(design, [chosen.system])
    return Proved(chosen, certify(report), pipeline) if report.is_proved else None


def stated(name: str, program: str, script: str) -> Sample:
    """A program of a system S, which gets the name, and a script whose commands leave out what they are about."""
    lines = tuple(line.replace("(", f'(prog, "{name}", ', 1) for line in script.splitlines() if line)
    return Sample(program.replace("affine S", f"affine {name}"), system=name, lines=lines)


def _drawn(random: Random) -> Sample:
    chance = random.random()
    kinds = mapped_calls.sample if chance < CALLS else kernels.sample if chance < CALLS + KERNELS else sample
    drawn = kinds(random)
    return typed(random, drawn) if random.random() < TYPED else drawn


def _legal(chosen: Sample) -> Design | None:
    try:
        design = design_of(chosen)
    except Rejected:
        return None
    return design if is_legal(design, chosen.system) else None


def named(case: Sample, name: str) -> Sample:
    """Its systems have names of their own; variables that are called as a system is keep theirs."""
    program, lines = case.program, case.lines
    for at, system in enumerate(re.findall(r"(?m)^affine (\w+)", program)):
        own = name if system == case.system else f"{name}_{at}"
        program = re.sub(rf"(?m)^(affine |\s*use .*?)\b{system}\b", rf"\g<1>{own}", program)
        lines = tuple(line.replace(f'"{system}"', f'"{own}"') for line in lines)
    return replace(case, program=program, lines=lines, system=name)
