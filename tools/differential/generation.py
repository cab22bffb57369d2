"""Programs, each with several mappings that are proved: one is drawn, and changed for as long as it stays proved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from alphaz.codegen.scheduled.pipeline import Pipeline
from alphaz.diagnostics import Rejected
from alphaz.legality.mapping_obligations import Verification
from alphaz.legality.verdicts import ObligationVerdict, Options
from alphaz.proof import Proved as Holds
from alphaz.proof import Undecided, discharge
from tests.legality.agreement import design_of
from tests.strategies import kernels, mapped_calls, mapped_programs, nests
from tests.strategies.mapped_programs import Sample, with_memory
from tests.strategies.mapping_variants import MEETING, dressed, nested, parametrised, summed, typed
from tools.differential.proved_mappings import TYPED, Proved, named, plainly, proved

# So many programs are tried for one that is proved, so many changes of it, and so many mappings of it are kept.
DRAWS, CHANGES, VARIANTS = 4, 12, 4
# What programs are drawn from, with weights.
Families = Sequence[tuple[Callable[[Random], Sample], int]]
FAMILIES: Families = ((mapped_calls.sample, 2), (kernels.sample, 3), (mapped_programs.sample, 3), (nests.sample, 17))
# Those of which `alphaz prove` understands the C more often.
PLAINER: Families = ((kernels.sample, 14), (mapped_programs.sample, 4), (nests.sample, 2))
# How often a memory map is changed, and how often a mapping begins with a reduction dimension.
MEMORIES, SUMMED = 0.2, 0.6
# How often the cases of a program are below operations, and how often it is for some parameters alone.
NESTED, PARAMETRISED = 0.25, 0.1
# How often an obligation is decided once more within a budget that is small (so many operations at most).
HURRIED, SMALL = 0.1, 20_000


@dataclass
class Tally:
    """The outcomes of the tried mappings."""

    proved: int = 0
    refused: int = 0
    undecided: int = 0
    invalid: int = 0


class Broken(Exception):
    """The verifier failed on a sample."""

    def __init__(self, sample: Sample, problem: Exception) -> None:
        self.sample = sample
        super().__init__(f"the verifier failed: {type(problem).__name__}: {problem}")


def drawn(name: str, random: Random, tally: Tally, families: Families = FAMILIES) -> list[Proved]:
    """Mappings of one program that are proved, at most VARIANTS of them; none where there is none. Raises Broken."""
    chosen = _first(name, random, tally, families)
    if chosen is None:
        return []
    line = [chosen]
    if random.random() < SUMMED:
        first = dressed(random, chosen, (summed,))
        chosen = first if first is not chosen and is_proved(first, tally) else chosen
    for _ in range(random.randint(CHANGES // 3, CHANGES)):
        is_memory = chosen.variables and random.random() < MEMORIES
        changed = with_memory(random, chosen) if is_memory else dressed(random, chosen, MEETING)
        if changed is not chosen and is_proved(changed, tally):
            chosen = changed
            line.append(chosen)
    rest = [*random.sample(line[:-1], min(VARIANTS - 1, len(line) - 1)), line[-1]]
    cases = [_proved(item, plainly(random)) for item in rest]
    return [case for case in cases if case is not None]


def _first(name: str, random: Random, tally: Tally, families: Families) -> Sample | None:
    """A program with a mapping that is proved."""
    (family,) = random.choices([family for family, _ in families], [weight for _, weight in families])
    for _ in range(DRAWS):
        sample = family(random)
        sample = typed(random, sample) if "//@" not in sample.program and random.random() < TYPED else sample
        sample = nested(random, sample) if random.random() < NESTED else sample
        sample = parametrised(random, sample) if random.random() < PARAMETRISED else sample
        sample = named(sample, name)
        if is_proved(sample, tally):
            return sample
    return None


def is_proved(sample: Sample, tally: Tally) -> bool:
    """Raises Broken."""
    try:
        trial = Verification.of(design_of(sample), sample.system, Options())
        hurry = Random(sample.script(""))
        for result in trial.results():
            if hurry.random() < HURRIED:
                _hurried(trial, result, int(SMALL ** hurry.random()))
            if isinstance(result.verdict, Undecided):
                tally.undecided += 1
                return False
            if not isinstance(result.verdict, Holds):
                tally.refused += 1
                return False
    except Rejected:
        tally.invalid += 1
        return False
    except Exception as problem:
        raise Broken(sample, problem) from problem
    tally.proved += 1
    return True


def _hurried(trial: Verification, result: ObligationVerdict, operations: int) -> None:
    """A budget that runs out anywhere leaves the same verdict, or none."""
    verdict = discharge(trial.stated(result)[2], operations)
    if not isinstance(verdict, (type(result.verdict), Undecided)):
        raise AssertionError(f"{result.verdict}, but within {operations} operations {verdict}")


def _proved(sample: Sample, pipeline: Pipeline) -> Proved | None:
    try:
        return proved(sample, pipeline)
    except Exception as problem:
        raise Broken(sample, problem) from problem
