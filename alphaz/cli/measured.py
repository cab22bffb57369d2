"""Compiles and times proposals with other memory maps, and selects the fastest."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from alphaz.cli.files import InputError
from alphaz.cli.mapped_systems import values_text
from alphaz.cli.output import progress
from alphaz.legality.verified import DesignVerdict, Verified
from alphaz.legality.verify import certify
from alphaz.mapping.design import Design
from alphaz.mapping.factors import factors_text
from alphaz.run.bench.contest import Timing, alternately
from alphaz.run.bench.entry import Files, enter
from alphaz.run.bench.fork_server import keep_memory
from alphaz.search.memory.findings import ProposalReport
from alphaz.search.memory.proposal import MemoryProposal, Refusal, Request, propose
from alphaz.search.memory.sharing import Objective

_ROUNDS, _MOST_OTHERS = 5, 3
FIRST = "the first"


def measured(
    account: ProposalReport, design: Design, request: Request, parameters: Mapping[str, int], threads: int
) -> tuple[MemoryProposal, list[str]]:
    """Returns the fastest of the proposal, its alternatives, that for the other objective, and a few placements that
    share other cells, or none; and the times, in lines.

    All of them have been proved; `design` is the design that they were made for. Raises InputError where a parameter
    has no value.
    """
    system = design.system(account.proposal.system)
    missing = [name for name in system.parameters if name not in parameters]
    if missing:
        raise InputError(f"--measure needs values for all parameters: -p {missing[0]}=..")
    variants = dict(_variants(account, design, request))
    own = {name: parameters[name] for name in system.parameters}
    if len(variants) == 1:
        return account.proposal, ["there is nothing to choose from"]
    keep_memory()
    progress(f"{system.name}: compiling")
    mapped = {name: _licence(variant) for name, variant in variants.items()}
    beside = Files(Path(design.program.source.name).with_suffix(""), None, None)
    entry = enter(mapped, system.name, own, [threads], [], beside, seed=1)
    timings, _ = alternately(system, own, entry.contestants, _ROUNDS, progress, entry.layouts)
    at = f"{values_text(own)}, {threads} thread{'' if threads == 1 else 's'}"
    told = [f"measured at {at}:", *(f"  {_time(timing, timings[0])}" for timing in timings)]
    best = max(timings, key=lambda timing: timing.faster_than(timings[0]))
    return variants[best.contestant.name], told


def _variants(account: ProposalReport, design: Design, request: Request) -> Iterator[tuple[str, MemoryProposal]]:
    first = account.proposal
    yield FIRST, first
    for told in account.maps:
        for other in told.alternatives:
            variant = first.with_map(other.entry)
            if variant is not None:
                factors = f" mod {factors_text(other.entry.moduli)}" if any(other.entry.moduli) else ""
                yield f"{other.entry.variable} {other.entry.function}{factors}", variant
    opposite = Objective.SIZE if request.objective is Objective.SPEED else Objective.SPEED
    found = propose(
        design,
        first.system,
        Request(
            objective=opposite, sizes=request.sizes, only=request.only, seconds=request.seconds, options=request.options
        ),
    )
    if not isinstance(found, Refusal) and set(found.entries) != set(first.entries):
        yield f"objective {opposite.value}", found
    for placement in first.others[:_MOST_OTHERS]:
        variant = first.with_placement(placement)
        if variant is not None:
            yield _differences(first, variant), variant


def _differences(first: MemoryProposal, other: MemoryProposal) -> str:
    """Returns the text of the differences in memory maps."""
    moved = (entry for entry in other.placement.entries if entry != first.placement.of(entry.variable))
    return "; ".join(
        f"{entry.variable} {entry.function}" + (f" in {entry.space}" if entry.space != entry.variable else "")
        for entry in moved
    )


def _licence(proposal: MemoryProposal) -> Verified:
    return certify(DesignVerdict(proposal.design, (proposal.report,)))


def _time(timing: Timing, first: Timing) -> str:
    ratio = "" if timing is first else f", {timing.faster_than(first):.2f} times as fast"
    return f"{timing.contestant.name}: least time {1000 * min(timing.seconds):.3g} ms{ratio}"
