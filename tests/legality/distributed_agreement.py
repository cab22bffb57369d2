"""Agreement of the verdict on a distributed mapping with executions of it on random ranks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from alphaz.diagnostics import Rejected
from alphaz.legality.message_overlap import Border, overlap_of
from alphaz.legality.obligations.rank_communication import ranks_of
from alphaz.mapping.resolution import resolve
from alphaz.order.operation_table import operations
from alphaz.proof import Proved, Refuted
from tests.legality.bruteforce import world
from tests.legality.distributed_execution import DistributedExecution
from tests.legality.plain_order import Point
from tests.strategies.distributed_mappings import DistributedSample

# Distributions over ranks that are tried for one mapping.
TRIES = 12


@dataclass(frozen=True)
class DistributedAgreement:
    """`kind`: proved, refuted, undecided or invalid; `fault`: what an execution does wrong; the rules that refute."""

    kind: str
    fault: str = ""
    codes: tuple[str, ...] = ()
    is_pipeline: bool = False
    is_overlapped: bool = False

    @property
    def is_wrong(self) -> bool:
        return self.kind == "proved" and bool(self.fault)


def compare_distributed(sample: DistributedSample, random: Random) -> DistributedAgreement:
    """Returns the verdict on the mapping, and the first fault of its executions, at the witness if it is refuted."""
    mapped = sample.mapped
    try:
        resolved = resolve(mapped.design, mapped.system)
        report = mapped.report()
    except Rejected:
        return DistributedAgreement("invalid")
    if report.mapping is None:
        return DistributedAgreement("invalid")
    ranks = ranks_of(operations(resolved))
    assert ranks is not None
    refuted = [r.verdict for r in report.results if isinstance(r.verdict, Refuted)]
    all_proved = all(isinstance(r.verdict, Proved) for r in report.results)
    kind = "refuted" if refuted else "proved" if all_proved else "undecided"
    codes = tuple(sorted({r.rule.code for r in report.results if isinstance(r.verdict, Refuted)}))
    sizes = [sample.sizes]
    parameters = resolved.system.parameters
    sizes += [s for s in ({n: v.point[n] for n in parameters} for v in refuted) if max(s.values()) <= 8]
    fault = ""
    result = overlap_of(operations(resolved)) if kind == "proved" else ""
    border = (result.low, result.high) if isinstance(result, Border) else None
    for size in sizes:
        for late in (None, border) if border is not None else (None,):
            execution = DistributedExecution(
                world(mapped.design, mapped.system, size, resolved.aliases),
                sample.position,
                ranks.is_pipeline,
                ranks.distribution.width,
                late,
            )
            for rank_of in _assignments(execution.places, sample.is_by_blocks, random):
                fault = fault or execution.fault(rank_of, random)
        if fault:
            break
    return DistributedAgreement(kind, fault, codes, ranks.is_pipeline, border is not None)


def _assignments(places: list[Point], is_by_blocks: bool, random: Random) -> Iterator[Callable[[Point], int]]:
    """Yields functions from places to ranks: one rank, one rank for each place, and random ones."""
    if not places:
        return
    sides = [range(min(side), max(side) + 1) for side in zip(*places, strict=True)]
    every = {place: rank for rank, place in enumerate(product(*sides))}
    yield lambda _: 0
    yield every.__getitem__
    for _ in range(TRIES - 2):
        owners = [_owners(side, is_by_blocks, random) for side in sides]
        numbers = {key: rank for rank, key in enumerate(product(*(sorted(set(o.values())) for o in owners)))}
        yield lambda place, owners=owners, numbers=numbers: numbers[  # type: ignore[misc]
            tuple(owner[x] for owner, x in zip(owners, place, strict=True))
        ]


def _owners(side: range, is_by_blocks: bool, random: Random) -> dict[int, int]:
    """Returns random ranks of the places of one dimension."""
    if is_by_blocks:
        cuts = sorted(random.randint(side[0], side[-1] + 1) for _ in range(random.randint(1, 4)))
        return {place: sum(cut <= place for cut in cuts) for place in side}
    return {place: random.randrange(random.randint(2, 4)) for place in side}
