"""V: register tiles that are done at once have no point that is no operation, and no operation of another statement."""

from itertools import product

import pytest

from alphaz.codegen.scheduled.pipeline import ALL
from alphaz.codegen.scheduled.scheduled_c import explained
from alphaz.legality.loops.loop_obligations import TilePoints, alone, whole_tiles_obligation
from alphaz.poly import Affine, Domain, at_least
from alphaz.poly.algorithms.tile_corners import BoxKey, BoxStep, full_tile_corners
from alphaz.proof import Obligation, Proved, Refuted, discharge
from tests.codegen.generated_kernels import sample
from tests.legality.mapped import Mapped

TRIANGLES = """affine f {N | N>0}
input int A {i,j | 0<=j<=i<N};
output int T {i,j | 0<=j<=i<N}; int U {i | 0<=i<N};
let T[i,j] = A[i,j] + 1; U[i] = A[i,i]; .
"""
ROW, COLUMN = Affine.name("i"), Affine.name("j")
SIZES = range(1, 7)


def statements() -> tuple[TilePoints, TilePoints]:
    """A triangle in tiles along its rows, and its diagonal."""
    mapping = Mapped(TRIANGLES).time("T", "(i,j -> i,j)").time("U", "(i -> i,i)").report().mapping
    assert mapping is not None
    t, u = mapping.statements
    return TilePoints(t, t.domain, (BoxKey(ROW), BoxKey(COLUMN))), TilePoints(u, u.domain, (BoxKey(ROW), BoxKey(ROW)))


def within(points: TilePoints, away: int) -> Domain:
    """The corners that are so far from the diagonal."""
    return points.domain & Domain.where(points.domain.space, [at_least(ROW - COLUMN - away, 0)])


def refuted(obligation: Obligation) -> bool:
    """Returns True if the obligation is refuted; its counterexample holds by plain integers."""
    verdict = discharge(obligation)
    assert isinstance(verdict, Proved | Refuted)
    if isinstance(verdict, Refuted):
        assert obligation.recheck(verdict.point)
    return isinstance(verdict, Refuted)


@pytest.mark.parametrize(("size", "away"), list(product((1, 2, 3), range(4))))
def test_all_points_are_operations(size: int, away: int) -> None:
    points, _ = statements()
    chosen, steps = within(points, away), (BoxStep("j", 1, size),)
    results = {(i, j + o) for n in SIZES for i, j in chosen.points({"N": n}) for o in range(size) if j + o > i}
    assert refuted(whole_tiles_obligation("T", chosen, steps, points)) is bool(results)
    assert not refuted(whole_tiles_obligation("T", full_tile_corners(points.domain, steps), steps, points))


@pytest.mark.parametrize(("size", "away", "off"), list(product((1, 2, 3), range(3), (-1, 0, 1))))
def test_nothing_else_is_in_the_tile(size: int, away: int, off: int) -> None:
    points, diagonal = statements()
    mine = TilePoints(points.statement, points.domain, (BoxKey(ROW), BoxKey(COLUMN, size)))
    other = TilePoints(diagonal.statement, diagonal.domain, (BoxKey(ROW), BoxKey(ROW + off, size)))
    chosen = within(points, away)
    met = any(0 <= i + off - j < size for n in SIZES for i, j in chosen.points({"N": n}))
    (obligation,) = alone("T", chosen, mine, [other])
    assert refuted(obligation) is met


def test_a_witness_says_what_is_wrong() -> None:
    points, diagonal = statements()
    outside = discharge(whole_tiles_obligation("T", points.domain, (BoxStep("j", 1, 2),), points))
    assert isinstance(outside, Refuted)
    assert outside.witness.sentence == "N=1: T[0,1] is in a tile that is done at once, and no operation"
    (obligation,) = alone("T", points.domain, points, [diagonal])
    met = discharge(obligation)
    assert isinstance(met, Refuted)
    assert met.witness.sentence == "N=1: U[0] is in the tile of T[0,0], which is done at once"


def test_they_are_asked_where_code_is_generated() -> None:
    asked = explained(sample("kernels/gemm/gemm-tuned.cs"), "gemm", ALL).answers
    mine = [(item.claim, holds) for item, holds in asked if "tile that is done at once" in item.claim]
    assert len(mine) > 4
    assert all(holds for _, holds in mine)
