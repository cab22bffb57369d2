"""Proposals for random programs: proved, counted right, and no larger than any small map that is legal."""

from math import prod
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.diagnostics import Rejected
from alphaz.mapping.cells import location
from alphaz.mapping.factors import value_at
from alphaz.mapping.resolution import resolve
from alphaz.mapping.target_mapping import MemoryMap, Tightness
from alphaz.model.program import System
from alphaz.poly import AffineFunction
from alphaz.search.memory.count import allocated_cells
from alphaz.search.memory.map_candidates import MapComponent
from alphaz.search.memory.proposal import MemoryChoice, MemoryProposal, Request, propose
from alphaz.search.memory.sharing import Objective
from alphaz.search.memory.space_formats import Stored, cell_of
from tests.legality.agreement import design_of
from tests.search.memory.programs import without_maps
from tests.search.memory.small_maps import SmallMaps
from tests.strategies import mapped_calls, mapped_programs
from tests.thinning import thinned

pytestmark = pytest.mark.slow


def _proposal(seed: int, calls: bool = False) -> MemoryProposal | None:
    """For a random program; None where the schedule is not legal, or the program is none."""
    sample = (mapped_calls if calls else mapped_programs).sample(Random(seed))
    try:
        design = without_maps(design_of(sample), sample.system)
        resolve(design, sample.system)
    except Rejected:
        return None
    proposal = propose(design, sample.system, Request(Objective.SIZE, seconds=0.5))
    return proposal if isinstance(proposal, MemoryProposal) else None


def _is_banded(stored: Stored) -> bool:
    return stored.entry.format.tightness is Tightness.BANDED


def _points(system: System, variable: str, values: dict[str, int]) -> list[tuple[int, ...]]:
    return list(system.variable(variable).domain.in_context(system.context).points(values))


def _enumerated(system: System, together: tuple[MemoryMap, ...], values: dict[str, int]) -> int:
    """The cells of a box around all that is stored in a space."""
    cells = [cell_of(system, entry) for entry in together]
    points = [
        location(cell, values, point)[1]
        for cell in cells
        for point in system.variable(cell.variable).domain.in_context(system.context).points(values)
    ]
    columns = list(zip(*points, strict=True))
    factors = [{cell.moduli[at] for cell in cells} for at in range(len(cells[0].moduli))]
    if not points:
        return 0
    return prod(
        value_at(next(iter(f)), values) if len(f) == 1 and 0 not in f else max(column) - min(column) + 1
        for f, column in zip(factors, columns, strict=True)
    )


@given(st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_proposals_are_proved_and_their_cells_are_those_that_are_used(seed: int) -> None:
    proposal = _proposal(seed, calls=seed % 5 == 0)
    if proposal is None:
        return
    assert proposal.report.is_proved
    system = proposal.prices.system
    for together in proposal.placement.spaces.values():
        formats = proposal.prices.formats
        count, priced = allocated_cells(proposal.prices, together), proposal.prices.space(together)
        for size in (3, 5):
            values = dict.fromkeys(system.parameters, size)
            shown = count.at(values)
            if shown and system.context.contains(values):
                stored = formats.of_space(together)
                wanted = _enumerated(system, together, values)
                assert shown == wanted if stored is None else shown <= wanted or _is_banded(stored), (seed, together)
                if stored is not None and not _is_banded(stored):
                    assert shown == len(_points(system, stored.entry.variable, values)), (seed, together)
        assert priced is not None
        sample = {name: proposal.prices.sizes.samples[2][name] for name in system.parameters}
        assert count.at(sample) == priced[2], (seed, together)


def _cheaper(proposal: MemoryProposal, choice: MemoryChoice) -> tuple[MapComponent, ...] | None:
    """A legal map with entries to 2 and factors to 4 that is cheaper than the one that is found."""
    best = choice.candidates[0]
    return next(SmallMaps.of(proposal, choice.variable, 2).cheaper((best.degree, best.cells[2])), None)


def _width(proposal: MemoryProposal, choice: MemoryChoice) -> int:
    return proposal.prices.system.variable(choice.variable).domain.space.dimensions


@given(st.integers(0, 10**9))
@settings(max_examples=25, deadline=None)
def test_no_small_map_has_fewer_cells(seed: int) -> None:
    proposal = _proposal(seed)
    if proposal is None:
        return
    for choice in proposal.choices:
        if 1 <= _width(proposal, choice) <= 2:
            assert _cheaper(proposal, choice) is None, (seed, choice.variable)


@pytest.mark.parametrize("seed", thinned([69, 151, 178], 3))
def test_no_small_map_of_three_indices_has_fewer_cells(seed: int) -> None:
    """Of one power of the parameters, and of two; 151 needs a direction with an entry of 2."""
    proposal = _proposal(seed)
    assert proposal is not None
    (choice,) = [choice for choice in proposal.choices if _width(proposal, choice) == 3]
    assert _cheaper(proposal, choice) is None


def test_a_map_that_is_no_least_one_is_noticed() -> None:
    """Of that with one cell for every point a cheaper one is found."""
    proposal = _proposal(178)
    assert proposal is not None
    (choice,) = [choice for choice in proposal.choices if _width(proposal, choice) == 3]
    result = next(SmallMaps.of(proposal, choice.variable, 1).cheaper((2, 1)), None)
    assert result is not None
    assert proposal.legality.reuse(choice.variable).allows_map([c.row for c in result], [c.factor for c in result])


def test_the_properties_meet_programs_that_can_do_with_less() -> None:
    """Otherwise they would say little."""
    results = [proposal for proposal in map(_proposal, range(60)) if proposal is not None]
    assert len(results) > 8
    assert sum(bool(proposal.entries) for proposal in results) > 3
    assert any(isinstance(e.function, AffineFunction) and e.space != e.variable for p in results for e in p.entries)
