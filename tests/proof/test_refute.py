"""The finder of proofs: what it finds the kernel accepts, and where it finds nothing it says so."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from alphaz.kernel.checker import ProofGoal, check
from alphaz.poly import Affine, Constraint, Domain, Floor, Space
from alphaz.poly.algorithms.lexicographic_extremes import extremes
from alphaz.proof.refute import larger_set_proof, search
from alphaz.proof.refute.larger_set_proof import guided_proof
from alphaz.proof.refute.point_instances import instances_at, spread_points
from alphaz.proof.refute.proof_tree import Step
from alphaz.proof.refute.search import BUDGET, Allowance, NotRefuted, _proof_of, proof_of
from alphaz.proof.refute.simplex import Simplex
from tests.kernel.small_sets import EMPTY, Json, SmallSet, absent, at_least, case, equal, total

TILES = SmallSet(
    "i j",
    (
        [
            case(
                at_least(p=1, q=-1, constant=-1),
                at_least(i=-1, j=1),
                p=(total(i=1), 64),
                q=(total(j=1), 64),
            )
        ],
    ),
)
"""The tile of i is after that of j, and i is not after j."""

PARITY = SmallSet(
    "t",
    ([case(at_least(t=1))],),
    absent=(
        absent("w", [case(equal(t=1, w=-2))]),
        absent("w", [case(equal(t=1, w=-2, constant=-1))]),
    ),
)
"""No t is even, and none is odd."""


@pytest.mark.parametrize("name", EMPTY)
def test_small_sets_have_proofs(name: str) -> None:
    value, _ = EMPTY[name]
    check(value.goal, proof_of(value.goal))


def test_a_split_on_a_difference_of_quotients() -> None:
    steps = proof_of(TILES.goal)
    check(TILES.goal, steps)
    assert len(steps) <= 3


def test_instances_with_quotients() -> None:
    steps = proof_of(PARITY.goal)
    check(PARITY.goal, steps)
    assert {step[0] for step in steps} >= {"let", "instance"}


def test_a_branch_that_is_not_needed_is_left_out() -> None:
    useless = [case(at_least(-k, y=1)) for k in range(3)]
    small_set = SmallSet("x y", (useless, [case(at_least(-1, x=1)), case(at_least(-2, x=1))], [case(at_least(x=-1))]))
    steps = proof_of(small_set.goal)
    check(small_set.goal, steps)
    assert [step[0] for step in steps] == ["case", "sum", "sum"]


def test_a_budget_is_counted_in_steps() -> None:
    with pytest.raises(NotRefuted, match="more than 3 steps"):
        proof_of(PARITY.goal, 3)
    with pytest.raises(NotRefuted, match="no instance is left"):
        proof_of(SmallSet("x", ([case(at_least(x=1))],)).goal)


def test_a_conflict_is_a_sum_of_facts() -> None:
    simplex = Simplex(100)
    rows = [(({0: 1, 1: 1}, -3), False), (({0: -1}, 1), False), (({1: -1}, 1), False)]
    assert all(simplex.assume(fact, label) is None for label, fact in enumerate(rows[:2]))
    mark = simplex.mark()
    conflict = simplex.assume(rows[2], 2) or simplex.conflict()
    assert conflict == dict.fromkeys(range(3), 1)
    simplex.back(mark)
    assert simplex.conflict() is None
    assert simplex.greatest({0: 1}) == 1
    assert simplex.greatest({1: 1}) is None


def test_optima_are_those_of_vertices() -> None:
    """In random polygons, whose vertices have fractions."""
    random = Random(4)
    for _ in range(60):
        rows = [((random.randint(-5, 5), random.randint(-5, 5)), random.randint(0, 9)) for _ in range(4)]
        rows += [((x, y), 7) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        simplex = Simplex(10_000)
        for (x, y), constant in rows:
            assert simplex.assume((({v: c for v, c in ((0, x), (1, y)) if c}, constant), False), 0) is None
        assert simplex.conflict() is None
        vertices = [point for pair in combinations(rows, 2) for point in _crossing(*pair)]
        inside = [(a, b) for a, b in vertices if all(x * a + y * b + constant >= 0 for (x, y), constant in rows)]
        goals = [(random.randint(-4, 4), random.randint(1, 4)) for _ in range(3)]
        for x, y in goals:
            assert simplex.greatest({v: c for v, c in ((0, x), (1, y)) if c}) == max(x * a + y * b for a, b in inside)


def _crossing(one: tuple[tuple[int, int], int], other: tuple[tuple[int, int], int]) -> list[tuple[Fraction, Fraction]]:
    """Returns the point where both rows are 0, if there is one."""
    ((a, b), e), ((c, d), f) = one, other
    by = a * d - b * c
    return [(Fraction(b * f - d * e, by), Fraction(c * e - a * f, by))] if by else []


def test_extremes_are_functions_with_floors() -> None:
    """Of { [x, w] : x - 1 <= 2w <= x }."""
    x, w = Affine.name("x"), Affine.name("w")
    points = Domain.where(Space((), ("x", "w")), [Constraint(x - w * 2), Constraint(w * 2 - x + 1)])
    (result,) = extremes(points, 1, 9)
    assert result.floors == (Floor("floor.0", x, 2),)
    assert result.outputs == (Affine.name("floor.0"),)


LEVELS = SmallSet(
    "N j",
    ([case(at_least(j=1), at_least(-1, N=1, j=-1))],),
    absent=(
        absent(
            "q p s",
            [case(at_least(q=1), at_least(p=1), at_least(127, p=-1), at_least(s=1), at_least(15, s=-1))],
            [case(at_least(15, N=-1, q=2048, p=16)), case(at_least(-16, N=1, q=-2048, p=-16))],
            [case(equal(j=1, q=-2048, p=-16, s=-1))],
            nested=[absent("z", [case(at_least(z=1, q=-1, constant=-1), at_least(q=1, z=-1))])],
        ),
    ),
)
"""No iteration j is in a tile p of 16 in a tile q of 2048, whole or in part."""

MIXED_RADIX = SmallSet(
    "a b c d s t",
    (
        [case(*(row for name in "ac" for row in (at_least(**{name: 1}), at_least(127, **{name: -1}))))],
        [case(at_least(s=1), at_least(15, s=-1), at_least(t=1), at_least(15, t=-1))],
        [case(equal(a=16, b=2048, s=1, c=-16, d=-2048, t=-1))],
        [case(at_least(-1, b=1, d=-1)), case(equal(b=1, d=-1), at_least(-1, a=1, c=-1))],
    ),
)
"""Two numbers are the same, and their first digits that differ are those of b and d, or of a and c."""


@pytest.mark.parametrize("given", [LEVELS, MIXED_RADIX], ids=["levels", "mixed radix"])
def test_tiles_of_several_levels(given: SmallSet) -> None:
    steps = proof_of(given.goal, 2_000)
    check(given.goal, steps)
    assert len(steps) < 60


def test_an_instance_from_a_point() -> None:
    """The writer of j is found from one point: its quotients are those of j."""
    (result, *_) = instances_at(LEVELS.goal, LEVELS.goal.absences[0], [5000, 4711], is_whole=False)
    assert result.quotients == ((({1: 1}, 0), 2048), (({1: 1}, 0), 16))
    assert result.values == (({2: 1}, 0), ({2: -128, 3: 1}, 0), ({1: 1, 3: -16}, 0))


def test_points_away_from_bounds() -> None:
    points = [*spread_points(LEVELS.goal, 4)]
    assert points == [*spread_points(LEVELS.goal, 4)]
    assert len({tuple(point) for point in points}) == 4
    assert all(2048 < j < N - 1 for N, j in points)


_ROWS = case(at_least(i=1, r=-12), at_least(11, i=-1, r=12))
_COLUMNS = case(at_least(j=1, p=-16), at_least(15, j=-1, p=16))
_ABOVE, _BELOW = case(at_least(-15, r=12, p=-16)), case(at_least(14, r=-12, p=16))
TRIANGLE = SmallSet(
    "N i j",
    ([case(at_least(j=1), at_least(i=1, j=-1), at_least(-1, N=1, i=-1))],),
    absent=(absent("r p", [_ROWS], [_COLUMNS], [_ABOVE]), absent("r p", [_ROWS], [_COLUMNS], [_BELOW])),
)
"""An element (i, j) of a triangle is in no tile of 12 x 16 above a diagonal of tiles, and in none below it."""


def test_two_writers_of_one_cell() -> None:
    steps = _proof_of(TRIANGLE.goal, Allowance(2_000), 2_000, splits_early=True, opens_first=True)
    check(TRIANGLE.goal, steps)
    assert len(steps) < 60


LANES = SmallSet(
    "r q i",
    ([case(at_least(r=1, q=-8), at_least(7, r=-1, q=8), equal(i=1, r=-1))],),
    absent=tuple(absent("p", [case(equal(-lane, r=1, p=-8), equal(-lane, i=1, p=-8))]) for lane in range(8)),
)
"""Cell r is written by no lane of 8; each lane is about r and i, which are the same."""


def test_alternatives_that_state_the_same() -> None:
    """Without a split by them each choice doubles the proof: 3 ** 8 leaves. Points away from bounds have a price."""
    steps = _proof_of(LANES.goal, Allowance(4_500), 4_500, splits_early=False, opens_first=True)
    check(LANES.goal, steps)
    assert len(steps) < 250


def _tile(name: str, size: int) -> list[Json]:
    """The rows of the tile of i."""
    return [at_least(i=1, **{name: -size}), at_least(size - 1, i=-1, **{name: size})]


_LAST_TILE = absent("r", [case(at_least(p=1, r=-3), at_least(2, p=-1, r=3))])
NESTED_TILES = SmallSet(
    "i q p",
    ([case(*(row for name, by in (("q", 36), ("p", 12)) for row in _tile(name, by)))],),
    absent=(_LAST_TILE,),
)
"""A tile p of 12 is in no tile of 3 of them; the one of 36 is q."""


def test_a_quotient_that_a_variable_is_equal_to() -> None:
    steps = _proof_of(NESTED_TILES.goal, Allowance(BUDGET), BUDGET, splits_early=False, opens_first=True)
    check(NESTED_TILES.goal, steps)
    assert [step for step in steps if step[0] == "instance"] == [["instance", 0, [[[[1, 1]], 0]]]]
    assert not any(step[0] == "let" for step in steps)


def test_a_proof_by_that_of_a_larger_set() -> None:
    """Of the first set only the proof that no value is between is added; a smaller set does not help."""
    larger = replace(LEVELS, absent=({**LEVELS.absent[0], "absent": []},))
    proof = proof_of(larger.goal)
    steps = guided_proof(LEVELS.goal, larger.goal, proof, BUDGET)
    check(LEVELS.goal, steps)
    assert len(steps) > len(proof)
    with pytest.raises(NotRefuted, match="of no use"):
        guided_proof(larger.goal, LEVELS.goal, steps, BUDGET)
    with pytest.raises(NotRefuted, match="of no use"):
        guided_proof(PARITY.goal, larger.goal, proof, BUDGET)


_LATER = absent("y", [case(equal(y=1, p=-1), at_least(-5, y=1))])
"""A writer after p, from 5 on."""
_HERE, _SMALL = equal(p=1, r=-1), at_least(4, p=-1)
_FROM_5 = absent("p", [case(_HERE, at_least(-5, p=1))])
_AT_R: list[Any] = ["instance", 0, [[[[0, 1]], 0]]]
_FROM_5_AT_R: list[Any] = ["instance", 1, _AT_R[2]]


@pytest.mark.parametrize(
    ("parts", "proof"),
    [
        (
            [[case(_HERE)], [case(_SMALL)]],
            [_AT_R, ["case", 0], ["sum", 1, 1], ["sum", 1, 1], _FROM_5_AT_R, ["case", 0]],
        ),
        (
            [[case(_HERE, _SMALL)]],
            [_AT_R, ["case", 0], ["sum", 1, 1], ["sum", 1, 1], _FROM_5_AT_R, ["case", 1]],
        ),
    ],
    ids=["two parts", "one part"],
)
def test_a_writer_that_another_one_replaces(parts: list[list[Json]], proof: list[list[Any]]) -> None:
    """The first writer is below 5 only. From 5 on it is overwritten, and the proof goes on with the second one."""
    steps: list[list[Any]] = [*proof, ["sum", 2, 1], ["sum", 2, 1], ["sum", 1, 1, 2, 1]]
    small_set = SmallSet("r", ([case(at_least(r=1))],), absent=(absent("p", *parts, nested=[_LATER]), _FROM_5))
    larger = replace(small_set, absent=(absent("p", *parts), _FROM_5)).goal
    check(larger, steps)
    result = guided_proof(small_set.goal, larger, steps, BUDGET)
    check(small_set.goal, result)
    assert [step[0] for step in result if step[0] in ("split", "instance")] == [
        "instance",
        "instance",
        "split",
        "instance",
    ]


def test_a_goal_after_a_split_has_the_proof_from_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second writer is reached twice, and a proof that nothing replaces it is searched once."""
    never = absent("z", [case(equal(z=1, p=-1), at_least(-1, z=1, p=-1))])
    parts = [[case(_HERE)], [case(_SMALL)]]
    larger = SmallSet("r", ([case(at_least(r=1))],), absent=(absent("p", *parts), _FROM_5))
    proof = [_AT_R, ["case", 0], ["sum", 1, 1], ["sum", 1, 1], _FROM_5_AT_R, ["case", 0]]
    proof += [["sum", 2, 1], ["sum", 2, 1], ["sum", 1, 1, 2, 1]]
    check(larger.goal, proof)
    nested = absent("p", *parts, nested=[_LATER]), {**_FROM_5, "absent": [never]}
    small_set = replace(larger, absent=nested)
    goals = list[ProofGoal]()

    def counted(goal: ProofGoal, budget: int, _: object) -> list[Step]:
        goals.append(goal)
        return proof_of(goal, budget)

    monkeypatch.setattr(larger_set_proof, "proof_of", counted)
    steps = guided_proof(small_set.goal, larger.goal, proof, BUDGET)
    check(small_set.goal, steps)
    assert [step[0] for step in steps].count("instance") == 3
    assert len(goals) == 3
    monkeypatch.setattr(larger_set_proof, "_MOST_GOALS", 1)
    with pytest.raises(NotRefuted, match="more than 1 goals are left"):
        guided_proof(small_set.goal, larger.goal, proof, BUDGET)


def test_two_strategies_have_the_whole_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some sums of register tiles need many splits of quotients, and no instance away from bounds."""
    tried: list[tuple[int, bool, bool]] = []

    def failing(
        _: object, __: object, budget: int, *, splits_early: bool, opens_first: bool, **others: object
    ) -> object:
        tried.append((budget, splits_early, opens_first))
        raise NotRefuted(f"{others}")

    monkeypatch.setattr(search, "_proof_of", failing)
    with pytest.raises(NotRefuted):
        proof_of(TRIANGLE.goal)
    assert [attempt for attempt in tried if attempt[0] == BUDGET] == [(BUDGET, True, False), (BUDGET, False, True)]
