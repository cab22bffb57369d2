"""Conflicts: no two values that conflict share a cell, if and only if the verifier proves the memory maps."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.diagnostics import Rejected
from alphaz.legality.conflicts import Conflicts, conflicts_of
from alphaz.legality.verify import is_legal
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.target_mapping import MemoryMap
from alphaz.model.program import Kind
from alphaz.poly import Affine, AffineFunction
from tests.legality.agreement import design_of
from tests.legality.mapped import Mapped
from tests.strategies import mapped_calls, mapped_programs

STENCIL = """affine stencil {N, T | N>=3 && T>=1}
input
	double A {i | 0<=i<N};
output
	double B {i | 0<=i<N};
local
	double X {t,i | 0<=t<=T && 0<=i<N};
let
	X[t,i] = case
		{| t==0} : A[i];
		{| t>0 && 1<=i<N-1} : X[t-1,i-1] + X[t-1,i] + X[t-1,i+1];
		{| t>0 && i==0} || {| t>0 && i==N-1} : X[t-1,i] * 2;
	esac;
	B[i] = X[T,i];
.
"""


def _stencil() -> Mapped:
    return Mapped(STENCIL).time("X", "(t,i -> t,i)").time("B", "(i -> T+1,i)")


def _differences(design: Mapped, sizes: dict[str, int]) -> set[tuple[int, ...]]:
    return set(conflicts_of(resolve(design.design, design.system)).differences("X").points(sizes))


def test_the_differences_of_a_stencil_are_those_of_values_that_live_together() -> None:
    """In row-major order X[t,i] lives from (t,i) to its last reader, X[t+1,i+1] (on the border, X[t+1,i])."""
    result = _differences(_stencil(), {"N": 4, "T": 2})
    assert result == {(0, d) for d in range(-3, 4) if d} | {(1, d) for d in range(-3, 1)} | {
        (-1, -d) for d in range(-3, 1)
    }


def test_what_runs_in_parallel_lives_together() -> None:
    assert (1, 1) not in _differences(_stencil(), {"N": 6, "T": 2})
    assert (1, 3) in _differences(_stencil().kind("1", "P"), {"N": 6, "T": 2})


def test_tiles_of_all_sizes_add_conflicts() -> None:
    skewed = Mapped(STENCIL).time("X", "(t,i -> t,t+i)").time("B", "(i -> T+1,T+1+i)")
    plain = _differences(skewed, {"N": 5, "T": 3})
    tiled = _differences(skewed.band(0, 1), {"N": 5, "T": 3})
    assert plain < tiled
    assert (2, -1) in tiled - plain


def _unmapped(design: Design, system: str) -> tuple[Design, ResolvedMapping] | None:
    """Without memory maps; None where that is not legal, or where copies are dropped all the same."""
    mapping = design.mapping(system)
    bare = design.with_mapping(system, type(mapping)(mapping.space_time, mapping.kinds, mapping.ordering, (),
                               mapping.tiling, mapping.argument_dates, (), mapping.registers))  # fmt: skip
    if not is_legal(bare, system):
        return None
    resolved = resolve(bare, system)
    return None if resolved.aliases else (bare, resolved)


def _random_maps(random: Random, mapping: ResolvedMapping) -> list[MemoryMap]:
    """Small maps of some variables, some of them in one space."""
    rest = [v for v in mapping.system.variables if v.kind is not Kind.INPUT or random.random() < 0.3]
    chosen = random.sample(rest, k=min(len(rest), random.choice((1, 1, 2))))
    shared, width = random.random() < 0.5, random.choice((0, 1, 1, 2))
    results = []
    for variable in chosen:
        space = variable.domain.space
        outputs = tuple(
            Affine.of([(n, random.choice((-1, 0, 0, 1, 1, 2))) for n in space.names], random.choice((0, 0, 1)))
            for _ in range(width)
        )
        moduli = tuple(random.choice((0, 0, 2, 3)) for _ in range(width))
        place = chosen[0].name if shared else variable.name
        results.append(MemoryMap(variable.name, place, AffineFunction(space, outputs), moduli))
    return results


def _allowed(conflicts: Conflicts, mapping: ResolvedMapping) -> bool:
    cells = [mapping.cells[name] for name in conflicts.operations.writers]
    pairs = ((cell, other) for at, cell in enumerate(cells) for other in cells[at:])
    return not any(True for one, other in pairs for _ in conflicts.collisions(one, other))


class Agreements:
    """Counts of the legal and illegal maps that were asked about for one sample."""

    def __init__(self) -> None:
        self.legal = self.illegal = self.shared = 0

    def ask(self, random: Random, design: Design, system: str, times: int) -> None:
        bare = _unmapped(design, system)
        if bare is None:
            return
        conflicts = conflicts_of(bare[1])
        for _ in range(times):
            maps = _random_maps(random, bare[1])
            mapping = bare[0].mapping(system)
            for entry in maps:
                mapping = mapping.with_memory(entry)
            tried = bare[0].with_mapping(system, mapping)
            try:
                resolved = resolve(tried, system)
            except Rejected:
                continue
            if resolved.aliases:
                continue
            legal = is_legal(tried, system)
            assert _allowed(conflicts, resolved) == legal, (maps, system)
            self.legal, self.illegal = self.legal + legal, self.illegal + (not legal)
            self.shared += len({entry.space for entry in maps}) < len(maps)


@pytest.mark.slow
@given(st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_maps_are_legal_where_no_two_conflicting_values_share_a_cell(seed: int) -> None:
    random = Random(seed)
    draw = mapped_calls.sample if random.random() < 0.2 else mapped_programs.sample
    drawing = draw(random)
    try:
        design = design_of(drawing)
        resolve(design, drawing.system)
    except Rejected:
        return
    Agreements().ask(random, design, drawing.system, 4)


@pytest.mark.slow
def test_the_property_meets_legal_maps_and_others() -> None:
    """Otherwise it would say little."""
    seen = Agreements()
    for seed in range(60):
        sample = mapped_programs.sample(Random(f"conflicts/{seed}"))
        try:
            design = design_of(sample)
            resolve(design, sample.system)
        except Rejected:
            continue
        seen.ask(Random(seed), design, sample.system, 3)
    assert seen.legal > 8
    assert seen.illegal > 20
    assert seen.shared > 4
