"""Agreement of the verdict on a distributed mapping with executions of it on random ranks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from alphaz.diagnostics import Rejected
from alphaz.legality.obligations.communication import ranks_of
from alphaz.mapping.statements import resolve
from alphaz.order.operation_table import operations
from alphaz.proof import Proved, Refuted
from tests.legality.bruteforce import world
from tests.legality.distributed_execution import DistributedExecution
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
    for size in sizes:
        execution = DistributedExecution(
            world(mapped.design, mapped.system, size, resolved.aliases), sample.position, ranks.is_pipeline
        )
        for rank_of in _assignments(execution.places, sample.is_by_blocks, random):
            fault = fault or execution.fault(rank_of, random)
        if fault:
            break
    return DistributedAgreement(kind, fault, codes, ranks.is_pipeline)


def _assignments(places: list[int], is_by_blocks: bool, random: Random) -> Iterator[Callable[[int], int]]:
    """Yields functions from places to ranks: one rank, one rank for each place, and random ones."""
    if not places:
        return
    low, high = min(places), max(places)
    yield lambda _: 0
    yield lambda place: place - low
    for _ in range(TRIES - 2):
        if is_by_blocks:
            cuts = sorted(random.randint(low, high + 1) for _ in range(random.randint(1, 4)))
            yield lambda place, cuts=cuts: sum(cut <= place for cut in cuts)  # type: ignore[misc]
        else:
            owner = {place: random.randrange(random.randint(2, 4)) for place in range(low, high + 1)}
            yield lambda place, owner=owner: owner[place]  # type: ignore[misc]
