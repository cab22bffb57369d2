"""Each search, with costs that are made up."""

from collections.abc import Callable
from itertools import product
from math import inf
from random import Random

import pytest

from alphaz.diagnostics import Source
from alphaz.tuning.searches import SEARCHES, Search
from alphaz.tuning.space import Point, SearchAxis, SearchSpace

Cost = Callable[[Point], float]
ALL = list(SEARCHES.values())


def space(*lengths: int) -> SearchSpace:
    axes = tuple(SearchAxis(f"a{at}", tuple(str(2**k) for k in range(n)), ()) for at, n in enumerate(lengths))
    return SearchSpace(Source("x.cs", ""), axes)


def asked(search: Search, over: SearchSpace, cost: Cost, seed: int = 1, most: int = 400) -> list[Point]:
    """The points in the order in which they are asked for."""
    asking = search.over(over, Random(seed))
    results: list[Point] = []
    point = next(asking)
    while len(results) < most:
        results.append(point)
        try:
            point = asking.send(cost(point))
        except StopIteration:
            break
    return results


def bowl(point: Point) -> float:
    return 1.0 + sum((x - 2) ** 2 for x in point)


def trap(point: Point) -> float:
    """Some points are no legal mappings, and the axes are not independent."""
    return inf if sum(point) % 5 == 3 else 1.0 + abs(point[0] * point[1] - 6) + abs(point[2] - point[0])


@pytest.mark.slow
@pytest.mark.parametrize("search", ALL, ids=lambda item: item.name)
@pytest.mark.parametrize("cost", [bowl, trap])
def test_the_script_as_it_stands_comes_first_and_nothing_lies_outside(search: Search, cost: Cost) -> None:
    over = space(5, 4, 3)
    points = asked(search, over, cost)
    assert points[0] == over.usual
    assert all(0 <= x < n for point in points for x, n in zip(point, over.shape, strict=True))
    assert min(map(cost, points)) <= cost(over.usual)


@pytest.mark.slow
@pytest.mark.parametrize("search", ALL, ids=lambda item: item.name)
def test_the_same_seed_asks_the_same(search: Search) -> None:
    over = space(5, 4, 3)
    assert asked(search, over, trap, seed=7) == asked(search, over, trap, seed=7)


@pytest.mark.parametrize("name", ["exhaustive", "random"])
def test_some_searches_see_everything(name: str) -> None:
    over = space(4, 3, 2)
    assert set(asked(SEARCHES[name], over, bowl)) == set(product(range(4), range(3), range(2)))


def test_nothing_is_better_than_what_the_exhaustive_search_finds() -> None:
    over = space(5, 4, 3)
    best = min(map(trap, asked(SEARCHES["exhaustive"], over, trap)))
    assert all(best <= min(map(trap, asked(search, over, trap))) for search in ALL)


def test_no_single_change_improves_what_the_orthogonal_search_finds() -> None:
    over = space(6, 5, 4)
    best = min(asked(SEARCHES["orthogonal"], over, trap), key=trap)
    for at, length in enumerate(over.shape):
        assert all(trap(best) <= trap((*best[:at], x, *best[at + 1 :])) for x in range(length))


def test_a_population_finds_the_best_of_a_smooth_space() -> None:
    over = space(6, 6, 6, 6)
    assert min(map(bowl, asked(SEARCHES["genetic"], over, bowl))) == 1.0


def test_a_model_finds_in_few_runs_what_chance_does_not() -> None:
    over = space(*[6] * 5)
    learned = min(map(bowl, asked(SEARCHES["learned"], over, bowl, most=124)))
    chance = min(map(bowl, asked(SEARCHES["random"], over, bowl, most=124)))
    assert learned < chance
